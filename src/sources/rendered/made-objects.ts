// Objects that charts make: which line of a template writes each of their fields, and which values it has there.
import type { Diagnostic } from "../../diagnostic.ts";
import { quote } from "../../yaml/index.ts";
import { compare, type Step } from "../../merge/index.ts";
import { type ChartRelease, isOnPath, type ObjectPath } from "../../explain/index.ts";
import type {
  ExplainedManifest,
  ExplainedTarget,
  ExplainedValue,
  Explanation,
  ManifestField,
  ManifestValue,
  Place,
} from "../../explanation.ts";
import { passedOver } from "../not-built.ts";
import { type OverRelease, overRelease, patchedField, takenFault } from "./patched-objects.ts";
import { type Releases, type TargetRelease, unknownOf } from "./releases.ts";
import {
  type EngineClaim,
  type EngineLeaf,
  type EngineObject,
  type EnginePath,
  lackingApis,
  type RenderAnswer,
  rendered,
  type TemplateLine,
} from "./render.ts";
import { objectId, type ObjectId, objectText } from "../../object-id.ts";

/** An object that is asked for, as a word names it, and which of its fields. */
export interface WantedObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** All without it. */
  readonly steps?: readonly Step[];
}

export interface FoundManifests {
  readonly manifests: readonly ExplainedManifest[];
  readonly faults: readonly Diagnostic[];
}

interface ObjectsMade {
  /** Undefined if none makes it. */
  readonly explanation: Explanation | undefined;
  readonly faults: readonly Diagnostic[];
}

/** What the charts of some targets make that has a name. */
export async function objectsMade(
  explanation: Explanation | undefined,
  releases: Releases,
  wanted: WantedObject,
): Promise<ObjectsMade> {
  const manifests: ExplainedManifest[] = [];
  const faults: Diagnostic[] = [];
  const targets: ExplainedTarget[] = [];
  for (const target of explanation?.targets ?? []) {
    const found = await objectsOf(target, releases, wanted);
    faults.push(...found.faults);
    if (found.manifests.length === 0) continue;
    manifests.push(...found.manifests);
    targets.push(withValuesOf(target, found.manifests));
  }
  if (explanation === undefined || manifests.length === 0) return { explanation: undefined, faults };
  return { explanation: { ...explanation, targets, manifests }, faults };
}

async function objectsOf(
  target: ExplainedTarget,
  releases: Releases,
  wanted: WantedObject,
): Promise<FoundManifests> {
  const manifests: ExplainedManifest[] = [];
  const faults: Diagnostic[] = [];
  for (const each of releases.of(target).filter(({ release }) => mayMake(release, wanted.kind))) {
    const over = await overRelease(each.release);
    const found = await (over === undefined
      ? blamed(each, wanted, target)
      : patched(each, over, wanted, target));
    faults.push(...found.faults);
    manifests.push(...found.manifests.filter(({ fields }) => fields.length > 0 || !wanted.steps?.length));
    if (over !== undefined && found.manifests.length === 0)
      faults.push(...lackingApis(await rendered(each.release, { ask: "render" }), each.release));
    if (found.manifests.length > 0)
      faults.push(...unknownOf(each.release, objectText(target), over !== undefined));
  }
  return { manifests, faults };
}

async function blamed(
  each: TargetRelease,
  { kind, namespace, name, steps = [] }: WantedObject,
  target: ExplainedTarget,
): Promise<FoundManifests> {
  const found = await rendered(each.release, { ask: "blame", object: { kind, name }, path: startOf(steps) });
  const all = (found.answer?.["objects"] ?? []) as readonly EngineObject[];
  // Most templates leave the namespace to the release.
  const objects = all.filter(
    (own) => namespace === undefined || namespace === (own.namespace ?? each.release.namespace),
  );
  const manifests = objects.map((own) => {
    const manifest = manifestOf(own, target, each);
    return { ...manifest, fields: manifest.fields.filter(isOf(steps)) };
  });
  const notes = objects.length > 0 ? boundOf(found, `${kind}/${name}`) : lackingApis(found, each.release);
  const faults = [...found.faults, ...notes];
  return { manifests, faults };
}

function isOf(steps: readonly Step[]): (field: Pick<ManifestField, "path" | "elements">) => boolean {
  return ({ path, elements }) => compare(path, steps, elements) === "inside";
}

/** The same after the kustomizations over the chart: each field is what the chart has, or what is set in its place. */
async function patched(
  each: TargetRelease,
  { chart, made }: OverRelease,
  wanted: WantedObject,
  target: ExplainedTarget,
): Promise<FoundManifests> {
  const { kind, namespace, name, steps = [] } = wanted;
  const { release } = each;
  const isWanted = (object: ObjectId): boolean =>
    object.kind === kind &&
    object.name === name &&
    (namespace === undefined || namespace === (object.namespace ?? release.namespace));
  const manifests: ExplainedManifest[] = [];
  const faults: Diagnostic[] = [];
  for (const object of chart.objects.filter(isWanted)) {
    const own = made[object.number];
    if (own === undefined) continue;
    const before = { kind: own.kind, name: own.name, namespace: own.namespace ?? release.namespace };
    // Another element may be at the number.
    const keys = steps.slice(0, steps.findIndex((step) => !("key" in step)) + 1 || steps.length);
    const found = await blamed(each, { ...before, steps: keys.filter((step) => "key" in step) }, target);
    const [manifest] = found.manifests;
    faults.push(...found.faults);
    if (manifest === undefined) continue;
    const isAsked = (path: ObjectPath): boolean => isOf(steps)(pathOf(path));
    const all = (await object.fields(isAsked)).filter(({ path }) => isAsked(path));
    const at = fieldsByPath(manifest.fields);
    const fields = all.map((field): ManifestField => {
      const from = field.from && at(field.from);
      return { ...(from ?? patchedField(field, object, release, at)), ...pathOf(field.path) };
    });
    manifests.push({ ...manifest, ...objectId(object), fields });
  }
  const left = new Set(chart.objects.map(({ number }) => number));
  for (const [number, item] of made.entries())
    if (isWanted(item) && !left.has(number)) faults.push(await takenFault(chart, number, item));
  return { manifests, faults };
}

function fieldsByPath(fields: readonly ManifestField[]): (path: ObjectPath) => ManifestField | undefined {
  const known = new Map(fields.map((each) => [JSON.stringify(each.path), each]));
  return (path) => known.get(JSON.stringify(stepsOf(path)));
}

/** False where no template can make an object of the kind. */
function mayMake({ files }: ChartRelease, kind: string): boolean {
  const isKind = new RegExp(`^\\s*["']?kind["']?:\\s*["']?(?:${kind}\\b|\\{\\{)`, "im");
  return [...files()].some(
    ([path, { bytes }]) => path.includes("templates/") && isKind.test(Buffer.from(bytes).toString("latin1")),
  );
}

/** The keys and elements that a path begins with. */
function startOf(steps: readonly Step[]): EnginePath {
  const path: (string | number)[] = [];
  for (const step of steps) {
    if ("key" in step) path.push(step.key);
    else if ("inList" in step && /^\d+$/.test(step.inList)) path.push(Number(step.inList));
    else break;
  }
  return path;
}

export function manifestOf(
  { kind, namespace, name, template, leaves, exists = [] }: EngineObject,
  { build, kind: ofKind, namespace: ofNamespace, name: ofName }: ExplainedTarget,
  { source, release }: TargetRelease,
): ExplainedManifest {
  return {
    ...(build === undefined ? {} : { build }),
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    target: {
      kind: ofKind,
      ...(ofNamespace === undefined ? {} : { namespace: ofNamespace }),
      name: ofName,
      ...(source === undefined ? {} : { source }),
    },
    at: { of: "file", file: release.shownTemplate(template) },
    exists: exists.map(valueOf),
    fields: leaves.map((each) => fieldOf(each, release)),
  };
}

function fieldOf(
  { path, text, type, at, through = [], action, values = [], about = [] }: EngineLeaf,
  release: ChartRelease,
): ManifestField {
  const place = (line: TemplateLine): Place => ({
    of: "file",
    file: release.shownTemplate(line.file),
    line: line.line,
  });
  return {
    ...pathOf(path),
    ...(text === undefined ? {} : { text: lineOf(text, type) }),
    ...(at && { at: place(at) }),
    ...(through.length === 0 ? {} : { through: through.map(place) }),
    ...(action === undefined ? {} : { action }),
    ...(about.length === 0 ? {} : { of: about }),
    values: values.map(valueOf),
  };
}

function pathOf(path: EnginePath): Pick<ManifestField, "path" | "elements"> {
  const elements = path.flatMap((step, index) => (typeof step === "number" ? index : []));
  return { path: stepsOf(path), ...(elements.length > 0 && { elements }) };
}

/** One line of YAML. */
export function lineOf(text: string, type: EngineLeaf["type"]): string {
  if (type === "map" || type === "seq") return type === "map" ? "{}" : "[]";
  return type === "str" ? quote(text) : text;
}

function valueOf({ path, how }: EngineClaim): ManifestValue {
  return { path: stepsOf(path), how };
}

export function stepsOf(path: EnginePath): readonly string[] {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : step));
}

/** With the values that are named, and nothing else. */
function withValuesOf(target: ExplainedTarget, manifests: readonly ExplainedManifest[]): ExplainedTarget {
  const stacks = target.stacks.map((stack) => {
    const own = manifests.filter((each) => each.target.source === stack.source);
    const named = own.flatMap(({ exists, fields }) => [...exists, ...fields.flatMap(({ values }) => values)]);
    const isNamed = ({ path }: ExplainedValue): boolean => named.some((each) => isOnPath(each.path, path));
    return { ...stack, values: stack.values.filter(isNamed) };
  });
  return { ...target, stacks };
}

/** Where not all was tried. */
export function boundOf({ answer }: RenderAnswer, shown: string): readonly Diagnostic[] {
  if (answer?.["bounded"] !== true) return [];
  return [passedOver(`not all that is in \`${shown}\` was tried with other values`, "name a longer path")];
}
