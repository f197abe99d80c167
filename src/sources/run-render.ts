// Runs a render: files from a directory, templates from the engine, sealed files from SOPS.
import { dirname, resolve } from "node:path";
import type { Need, Supply } from "../core/index.ts";
import { renderTemplates } from "../engine/index.ts";
import type { Outcome } from "../report/index.ts";
import {
  renderList,
  type RenderNeed,
  type RenderSteps,
  renderStream,
  type RenderSupply,
} from "../render/index.ts";
import { isThere, readNamed, realPathOf } from "./disk.ts";
import { inside, RenderFiles } from "./render-files.ts";
import { isIn } from "./tree.ts";
import { UsageError } from "./usage-error.ts";
import type { RenderInvocation } from "./workspace.ts";

/** What a render gets from the process. */
export interface RenderEdge {
  /** The directory that relative paths start from. */
  readonly directory: string;
  readonly sops: (need: Need) => Promise<Supply>;
  /** Read if the settings are `-`. */
  readonly stdin: () => Uint8Array;
}

/** `valuefold render -c FILE [DIR]`: a directory in FILE starts from the folder of FILE, or from here if FILE is stdin. */
export function runRender(
  { config, settings, into, strict, previous, root }: RenderInvocation,
  edge: RenderEdge,
): Promise<Outcome> {
  const { directory, stdin } = edge;
  const path = config === "-" ? undefined : resolve(directory, config);
  const within = root === undefined ? undefined : rootAt(resolve(directory, root), root);
  if (path !== undefined) checkInside(path, within, `the settings \`${config}\` are`);
  const request = {
    config: settings ?? (path === undefined ? stdin() : readNamed(path)),
    name: path === undefined ? "stdin" : config,
    isStrict: strict,
    ...(previous === undefined ? {} : { previous: readNamed(resolve(directory, previous)) }),
    ...(into === undefined ? {} : { directory: resolve(directory, into) }),
  };
  return supplied(renderStream(request), {
    ...edge,
    directory: path === undefined ? directory : dirname(path),
    within,
  });
}

/** The same as a function; undefined if its config does not ask for a render. */
export function renderFunction(
  input: Uint8Array,
  edge: Omit<RenderEdge, "stdin">,
): Promise<Outcome | undefined> {
  return supplied(renderList(input), { ...edge, within: undefined });
}

/** The real path of a root. */
function rootAt(path: string, name: string): string {
  if (isThere(path)) return realPathOf(path);
  throw new UsageError(`the root \`${name}\` does not exist`);
}

/** @param what subject and verb of the message */
function checkInside(path: string, within: string | undefined, what: string): void {
  if (within === undefined || inside(path, within) !== undefined) return;
  if (isThere(path) || !isIn(path, within))
    throw new UsageError(`${what} outside of \`--root\``, "move it into that directory");
}

/** Who answers the needs of a render. */
interface Supplier extends Omit<RenderEdge, "stdin"> {
  /** The real path that no file read is outside of. */
  readonly within: string | undefined;
}

async function supplied<T>(steps: RenderSteps<T>, supplier: Supplier): Promise<T> {
  const files = new RenderFiles(supplier.directory, supplier.within);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await supply(step.value, files, supplier));
  return step.value;
}

async function supply(
  need: RenderNeed,
  files: RenderFiles,
  { sops, within }: Supplier,
): Promise<RenderSupply> {
  if ("files" in need) return { files: need.files.map((ask) => files.read(ask)) };
  if ("lists" in need) return { lists: need.lists.map((ask) => files.list(ask)) };
  if ("templates" in need) return { templates: await renderTemplates(need.templates) };
  const { keys } = need.sops;
  if (keys !== undefined) checkInside(resolve(keys), within, "the folder of `sops.keys` is");
  return { sops: await sops(need.sops) };
}
