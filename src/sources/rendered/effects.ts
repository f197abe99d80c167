// What the values of a target become in the objects of its charts, with what is over these.
import type { Diagnostic } from "../../diagnostic.ts";
import type { Explained } from "../../explain/index.ts";
import type { ExplainedManifest, ExplainedTarget } from "../../explanation.ts";
import { parsePath } from "../../merge/index.ts";
import { objectId, objectText } from "../../object-id.ts";
import { passedOver } from "../not-built.ts";
import type { Question } from "./object-question.ts";
import { boundOf, type FoundManifests, manifestOf } from "./made-objects.ts";
import { namedRelease, type OverRelease } from "./patched-objects.ts";
import { type Releases, type TargetRelease, unknownOf } from "./releases.ts";
import {
  type EngineClaim,
  type EngineLeaf,
  type EngineObject,
  type EnginePath,
  lackingApis,
  rendered,
  type RenderAnswer,
} from "./render.ts";

/** What the values of a target become in the objects of its charts. */
export async function effectsOn(
  { explanation, outcome }: Explained,
  releases: Releases,
  { path = "" }: Question,
): Promise<Explained> {
  if (explanation === undefined) return { explanation, outcome };
  const manifests: ExplainedManifest[] = [];
  const faults: Diagnostic[] = [];
  for (const target of explanation.targets) {
    const found = await effectsOf(target, releases, keysIn(path));
    manifests.push(...found.manifests);
    faults.push(...found.faults);
  }
  return {
    explanation: { ...explanation, manifests },
    outcome: { ...outcome, diagnostics: [...outcome.diagnostics, ...faults] },
  };
}

const mostValues = 20;

/** Those of a path that is one of keys. */
function keysIn(path: string): readonly string[] {
  const steps = parsePath(path);
  if ("wrongAt" in steps) return [];
  const keys = steps.flatMap((step) => ("key" in step ? step.key : []));
  return keys.length === steps.length ? keys : [];
}

/** @param asked the path of a mapping, or of a value */
async function effectsOf(
  target: ExplainedTarget,
  releases: Releases,
  asked: readonly string[],
): Promise<FoundManifests> {
  const all = releases.of(target);
  const shown = objectText(target);
  if (all.length === 0)
    return {
      manifests: [],
      faults: [passedOver(`the chart of \`${shown}\` is not here`, "name it: --chart DIR")],
    };
  const manifests: ExplainedManifest[] = [];
  const faults: Diagnostic[] = [];
  for (const each of all) {
    const stack = target.stacks.find(({ source }) => source === each.source);
    const values = (stack?.values ?? []).filter(({ mapping }) => mapping !== true);
    if (values.length > mostValues)
      faults.push(passedOver(`only the first ${mostValues} values of \`${shown}\` are tried`, "name a path"));
    const paths = values.slice(0, mostValues).map(({ path }) => path);
    // Of a mapping, what is there because of it, too.
    const isValue = paths.some((path) => path.length <= asked.length);
    const mapping = isValue || paths.length === 0 ? {} : { mapping: asked };
    const found = await rendered(each.release, { ask: "effects", paths, ...mapping });
    faults.push(...found.faults);
    const over = await namedRelease(each.release);
    const effects = effectsIn(found);
    for (const effect of effects)
      manifests.push(...(await leftIn(effect, over)).map((own) => effectOn(own, effect, target, each)));
    faults.push(...unknownOf(each.release, shown, over !== undefined), ...boundOf(found, shown));
    faults.push(...lackingApis(found, each.release));
  }
  return { manifests: merged(manifests), faults };
}

function effectsIn({ answer }: RenderAnswer): readonly EngineEffect[] {
  return (answer?.["effects"] ?? []) as readonly EngineEffect[];
}

/** What becomes of a value. */
interface EngineEffect {
  readonly path: EnginePath;
  readonly objects: readonly (EngineObject & { readonly exists?: EngineClaim["how"] })[];
}

type EffectObject = EngineEffect["objects"][number];

async function leftIn(
  { objects }: EngineEffect,
  over: OverRelease | undefined,
): Promise<readonly EffectObject[]> {
  if (over === undefined) return objects;
  const left = await Promise.all(objects.map((each) => leftOf(each, over)));
  return left.filter((each) => each !== undefined);
}

/** What kustomizations over the chart leave of what a value does; undefined for nothing. An object that is not there now stays. */
async function leftOf(object: EffectObject, { chart, made }: OverRelease): Promise<EffectObject | undefined> {
  const number = made.findIndex((each) => objectText(each) === objectText(object));
  if (number < 0) return object;
  const left = chart.objects.find((each) => each.number === number);
  if (left === undefined) return undefined;
  const leaves = new Map(object.leaves.map((leaf) => [JSON.stringify(leaf.path), leaf]));
  const fields = (await left.fields(() => false)).flatMap(({ path, from }) => {
    const leaf = from && leaves.get(JSON.stringify(from));
    return leaf === undefined ? [] : [{ ...leaf, path }];
  });
  const isNothing = fields.length === 0 && object.exists === undefined;
  return isNothing ? undefined : { ...object, ...objectId(left), leaves: fields };
}

function effectOn(
  object: EngineEffect["objects"][number],
  { path }: EngineEffect,
  target: ExplainedTarget,
  of: TargetRelease,
): ExplainedManifest {
  const { exists, leaves, ...named } = object;
  const claims = leaves.map((leaf) => ({
    ...leaf,
    values: [{ path, how: (leaf as EngineLeaf & Pick<EngineClaim, "how">).how }],
  }));
  const own = { ...named, leaves: claims, exists: exists === undefined ? [] : [{ path, how: exists }] };
  return manifestOf(own, target, of);
}

/** An object that several values change is one. */
function merged(all: readonly ExplainedManifest[]): readonly ExplainedManifest[] {
  const found = new Map<string, ExplainedManifest>();
  for (const each of all) {
    const id = JSON.stringify([objectText(each), each.at, each.target]);
    const known = found.get(id);
    const [exists, fields] = [known?.exists ?? [], known?.fields ?? []];
    found.set(id, { ...each, exists: [...exists, ...each.exists], fields: [...fields, ...each.fields] });
  }
  return [...found.values()];
}
