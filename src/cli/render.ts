// A render, run at the edge: files from a directory, templates from the engine, sealed files from SOPS.
import { dirname, resolve } from "node:path";
import type { Need, Outcome, Supply } from "../core/index.ts";
import {
  renderList,
  type RenderNeed,
  type RenderSteps,
  renderStream,
  type RenderSupply,
} from "../render/index.ts";
import { RenderFiles } from "./render-files.ts";
import { readFile } from "./stdio.ts";
import { templates } from "./templates.ts";

export interface RenderEdge {
  /** Where relative paths are seen from. */
  readonly directory: string;
  readonly sops: (need: Need) => Promise<Supply>;
  /** Read where settings are asked for as `-`. */
  readonly stdin: () => Uint8Array;
}

export interface RenderInvocation {
  readonly config: string;
  readonly into: string | undefined;
  readonly strict: boolean;
  /** A file with the output of an earlier render. */
  readonly previous: string | undefined;
}

/** `valuefold render -c FILE [DIR]`: a directory of the file is seen from the file, or from here if that is stdin. */
export function runRender(
  { config, into, strict, previous }: RenderInvocation,
  edge: RenderEdge,
): Promise<Outcome> {
  const { directory, stdin } = edge;
  const path = config === "-" ? undefined : resolve(directory, config);
  const settings = path === undefined ? stdin() : readFile(path);
  const name = path === undefined ? "stdin" : config;
  const before = previous === undefined ? {} : { previous: readFile(resolve(directory, previous)) };
  const request = { config: settings, name, isStrict: strict, ...before };
  const asked = into === undefined ? request : { ...request, directory: resolve(directory, into) };
  return supplied(renderStream(asked), {
    ...edge,
    directory: path === undefined ? directory : dirname(path),
  });
}

/** The same as a function; undefined if its config asks for no render. */
export function renderFunction(
  input: Uint8Array,
  edge: Omit<RenderEdge, "stdin">,
): Promise<Outcome | undefined> {
  return supplied(renderList(input), edge);
}

async function supplied<T>(
  steps: RenderSteps<T>,
  { directory, sops }: Omit<RenderEdge, "stdin">,
): Promise<T> {
  const files = new RenderFiles(directory);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await answer(step.value, files, sops));
  return step.value;
}

async function answer(need: RenderNeed, files: RenderFiles, sops: RenderEdge["sops"]): Promise<RenderSupply> {
  if ("files" in need) return { files: need.files.map((ask) => files.read(ask)) };
  if ("lists" in need) return { lists: need.lists.map((ask) => files.list(ask)) };
  if ("templates" in need) return { templates: await templates(need.templates) };
  return { sops: await sops(need.sops) };
}
