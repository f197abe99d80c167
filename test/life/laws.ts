// What holds after every round, whatever the user did.
import { foldText } from "../support/fold.ts";
import { type Side, annotatedInto, renderedOf, sourcesOf } from "./cluster.ts";
import type { Pipeline } from "./choices.ts";
import { answersOf, inPlace, same } from "./consumers.ts";
import { inOrder, itemsPart, sharedPath } from "./kpt.ts";
import { type Rendered, render, streamConfig } from "./render.ts";
import { idOf, isFolded, isLayerKind, type KubeObject, objectOf, type Repository } from "./repository.ts";
import { bystanders } from "./texts.ts";
import { type Json, secretMark } from "./values.ts";
import { worldOf } from "./world.ts";

export interface Broken {
  /** `applied`: values differ since something they need is local-config. */
  readonly law: "values" | "applied" | "idempotence" | "lost" | "ending" | "secrets";
  readonly detail: string;
}

interface Round {
  readonly pipeline: Pipeline;
  readonly seed: number;
  /** What the user wrote, never folded. */
  readonly sources: Repository;
  /** What was folded. */
  readonly before: Repository;
  readonly rendered: Rendered;
}

const worlds = 3;

/** The first law that a successful fold breaks. */
export function brokenLaw(round: Round): Broken | undefined {
  return ending(round) ?? secrets(round.rendered) ?? lost(round) ?? values(round) ?? idempotence(round);
}

/** A refused list goes back as it came. */
export function brokenByRefusal({ input, folded }: Rendered, pipeline: Pipeline): Broken | undefined {
  const isBack = pipeline === "plain" ? folded.output === "" : itemsPart(folded.output) === itemsPart(input);
  return (
    leakIn(folded.messages + JSON.stringify(folded.diagnostics)) ??
    (isBack ? undefined : { law: "ending", detail: "a refused input did not come back as it was" })
  );
}

function ending({ pipeline, rendered: { folded, files } }: Round): Broken | undefined {
  if (folded.output === "" || files.length === 0) return { law: "ending", detail: "exit 0 with nothing" };
  const path = pipeline === "overlay" ? undefined : sharedPath(files);
  if (path !== undefined) return { law: "ending", detail: `two items at the path ${path}` };
  const ids = files.map((file) => idOf(objectOf(file)));
  const twice = ids.find((id, at) => ids.indexOf(id) !== at && !id.endsWith("/unrelated"));
  return twice === undefined ? undefined : { law: "ending", detail: `two items ${twice}` };
}

function secrets({ folded, files }: Rendered): Broken | undefined {
  const open = files.filter((file) => objectOf(file).kind !== "Secret").map(({ text }) => text);
  const results = folded.output.slice(Math.max(0, folded.output.search(/^results:/m)));
  const said = folded.output.includes("\nresults:") ? results : "";
  return leakIn([...open, said, folded.messages, JSON.stringify(folded.diagnostics)].join("\n"));
}

function leakIn(text: string): Broken | undefined {
  const at = text.indexOf(secretMark);
  return at < 0 ? undefined : { law: "secrets", detail: text.slice(Math.max(0, at - 80), at + 20) };
}

/** What the user wrote and no fold has to change is there, byte for byte; what a fold changes is there. */
function lost({ pipeline, before, rendered }: Round): Broken | undefined {
  const after = new Map(rendered.files.map((file) => [idOf(objectOf(file)), file]));
  for (const file of before.files) {
    const object = objectOf(file);
    const now = after.get(idOf(object));
    if (now === undefined) {
      if (isGoing(object, pipeline, before.settings)) continue;
      return { law: "lost", detail: `${idOf(object)} is gone` };
    }
    const wanted =
      pipeline === "overlay" || !bystanders.includes(file.text) ? undefined : file.text.trimEnd();
    if (wanted !== undefined && now.text.trimEnd() !== wanted)
      return { law: "lost", detail: `${idOf(object)} was changed` };
    const changed = fieldChanged(object, objectOf(now));
    if (changed !== undefined) return { law: "lost", detail: `${idOf(object)}: ${changed}` };
  }
  return undefined;
}

/** Layers that a plain stream prunes, and what an earlier fold wrote. */
function isGoing(
  { kind, metadata: { annotations = {} } }: KubeObject,
  pipeline: Pipeline,
  { layers }: Repository["settings"],
): boolean {
  if (layers === "prune" && isLayerKind(kind)) return true;
  const isAnnotated =
    annotations["valuefold.dev/into"] !== undefined ||
    annotations["config.kubernetes.io/local-config"] === "true";
  return annotations["valuefold.dev/folded-from"] !== undefined || (pipeline === "plain" && isAnnotated);
}

const ours = new Set([
  "valuefold.dev/folded-keys",
  "valuefold.dev/folded-from",
  "valuefold.dev/layer",
  "config.kubernetes.io/local-config",
]);

/** A field that no fold has to touch, and that differs. */
function fieldChanged(before: KubeObject, after: KubeObject): string | undefined {
  if (isFolded(before)) return undefined;
  const notes = ({ metadata }: KubeObject): object =>
    Object.fromEntries(
      Object.entries(metadata.annotations ?? {}).filter(
        ([key]) =>
          !ours.has(key) && !key.includes("config.kubernetes.io/") && !key.includes("config.k8s.io/"),
      ),
    );
  if (!same(notes(before), notes(after))) return "annotations";
  const { extraConfigs: _a, valuesFrom: _b, config: _c, userConfig: _d, ...spec } = before.spec ?? {};
  const { extraConfigs: _e, valuesFrom: _f, config: _g, userConfig: _h, ...specNow } = after.spec ?? {};
  if (!same(spec, specNow)) return "spec";
  const isSame = same([before.data, before.stringData], [after.data, after.stringData]);
  return isSame || isTarget(before) ? undefined : "data";
}

/** What layers are folded into in place. */
function isTarget({ kind, metadata }: KubeObject): boolean {
  return isLayerKind(kind) && metadata.name.startsWith("config");
}

function values({ pipeline, seed, sources, rendered }: Round): Broken | undefined {
  // An overlay's items come in the order in which they were added, files in the order of their paths.
  const files = pipeline === "overlay" ? sources.files : inOrder(sources.files);
  const [before, after] = [files.map(objectOf), rendered.files.map(objectOf)];
  for (let at = 0; at < worlds; at++) {
    const world = worldOf(seed * 31 + at);
    const wanted = sourcesOf(before, world);
    const broken = differing(wanted, renderedOf(after, world, false), sources);
    if (broken === undefined) continue;
    const isApplied = differing(wanted, renderedOf(after, world, true), sources) === undefined;
    return isApplied ? { ...broken, law: "applied" } : broken;
  }
  return undefined;
}

function differing(wanted: Side, found: Side, { settings }: Repository): Broken | undefined {
  const got = answersOf(found, settings);
  for (const [id, want] of answersOf(wanted, settings)) {
    if (!same(want, got.get(id))) return differ(id, want, got.get(id));
  }
  for (const object of wanted.objects) {
    const now = found.byId.get(idOf(object));
    if (!isLayerKind(object.kind) || now === undefined || annotatedInto(object, wanted).length === 0)
      continue;
    const [want, is] = [inPlace(object, wanted), inPlace(now, found)];
    if (!same(want, is)) return differ(idOf(object), want, is);
  }
  return undefined;
}

function differ(id: string, want: Json, got: Json): Broken {
  return { law: "values", detail: `${id}\n  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(got)}` };
}

/** A second fold changes nothing: neither at once, nor once it was written to files and read again. */
function idempotence({ pipeline, before: { settings }, rendered }: Round): Broken | undefined {
  const { output } = rendered.folded;
  const again = pipeline === "plain" ? foldText(output, streamConfig(settings)) : foldText(output);
  if (again.exitCode !== 0) return { law: "idempotence", detail: `the second fold fails: ${again.messages}` };
  const isSame =
    pipeline === "plain" ? again.output === output : itemsPart(again.output) === itemsPart(output);
  if (!isSame) return { law: "idempotence", detail: firstDifference(output, again.output) };
  return pipeline === "plain"
    ? undefined
    : afterWriting(rendered, { files: rendered.files, settings }, pipeline);
}

function afterWriting({ files }: Rendered, written: Repository, pipeline: Pipeline): Broken | undefined {
  const next = render(written, pipeline);
  if (next.folded.exitCode !== 0)
    return { law: "idempotence", detail: `the next render fails: ${next.folded.messages}` };
  const [was, is] = [files, next.files].map((all) =>
    all.map(({ path, text }) => `# ${path}\n${text}`).join(""),
  );
  return was === is
    ? undefined
    : { law: "idempotence", detail: `next render: ${firstDifference(was ?? "", is ?? "")}` };
}

function firstDifference(a: string, b: string): string {
  const [before, after] = [a.split("\n"), b.split("\n")];
  const at = before.findIndex((line, index) => line !== after[index]);
  const around = (lines: readonly string[]): string =>
    lines.slice(Math.max(0, at - 1), at + 3).join("\n    ");
  return `line ${at + 1}\n    ${around(before)}\n  became\n    ${around(after)}`;
}
