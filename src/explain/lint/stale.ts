// Folded items that differ from what their layers would give now: a layer was edited since, has another priority, or is no
// longer a layer. Texts are compared only if all layers can be read: not if one was pruned, dropped or sealed.
import {
  allNamesOf,
  type Context,
  foldedAlone,
  isComponent,
  isRecordedAs,
  readRecord,
  type Survey,
} from "../../core/index.ts";
import { type Item, Mark, placeOf, refOf } from "../../krm/index.ts";
import { grouped } from "../../grouped.ts";
import type { Layer, RecordedLayer, Restoration, Stack, Target } from "../../layers/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";

/** Must look while a plan is made: the documents of the layers are released afterwards. */
export class StaleFolds {
  private readonly known = new Map<Target, readonly Diagnostic[]>();
  private readonly context: Context;

  constructor(context: Context) {
    this.context = context;
  }

  /** @param stacks all of the target: they have the references that folded items replaced */
  look(target: Target, stacks: readonly Stack[], survey: Survey): void {
    this.known.set(target, staleOf({ target, stacks, survey }, this.context));
  }

  /** All that were found, in the order of the targets. One without a stack has not been looked at. */
  found(survey: Survey): Diagnostic[] {
    return survey.selection.targets.flatMap(
      (target) => this.known.get(target) ?? staleOf({ target, stacks: [], survey }, this.context),
    );
  }
}

/** A target as it is now. */
interface TargetNow {
  readonly target: Target;
  readonly stacks: readonly Stack[];
  readonly survey: Survey;
}

/** The same, with its layers found by any of their names. */
interface Around extends TargetNow {
  readonly annotated: LayersByName;
  readonly byStack: ReadonlyMap<Stack, LayersByName>;
}

type LayersByName = ReadonlyMap<string, readonly Layer[]>;

function byNames(layers: readonly Layer[]): LayersByName {
  const named = layers.flatMap((layer) => allNamesOf(layer.item).map((name) => ({ name, layer })));
  const found = grouped(named, ({ name }) => name);
  return new Map([...found].map(([name, all]) => [name, all.map(({ layer }) => layer)]));
}

function staleOf(looked: TargetNow, context: Context): Diagnostic[] {
  const { target, stacks, survey } = looked;
  const earlier = (survey.restorations.get(target) ?? []).filter(({ stays }) => !stays);
  if (earlier.length === 0) return [];
  const annotated = byNames(survey.annotated.get(target) ?? []);
  const byStack = new Map(stacks.map((stack) => [stack, byNames(layersIn(stack))]));
  return earlier.flatMap((each) => {
    const why = whyStale(each, { ...looked, annotated, byStack }, context);
    return why === undefined ? [] : [stale(each.item, why)];
  });
}

function layersIn({ entries }: Stack): readonly Layer[] {
  return entries.flatMap((entry) => ("layer" in entry ? [entry.layer] : []));
}

interface Why {
  readonly message: string;
  readonly layer?: Item;
}

function whyStale(fold: Restoration, around: Around, context: Context): Why | undefined {
  const { recorded, item } = fold;
  for (const each of recorded) {
    const why = whyGone(each, around) ?? whyMoved(each, around);
    if (why !== undefined) return why;
  }
  for (const [stack, byName] of around.byStack) {
    const layers = layersOf(byName, recorded);
    if (layers.length === recorded.length && !isMadeOf(item, layers, stack, context))
      return { message: "its layers give other values now" };
  }
  return undefined;
}

/** Only under kpt: elsewhere a fold with missing layers stays, and is skipped. */
function whyGone(recorded: RecordedLayer, { survey, target }: Around): Why | undefined {
  const { names } = survey;
  const { kind, name, namespace } = recorded;
  const isThere =
    names.find({ kind, name, namespace }, target).length > 0 ||
    names.within(kind, name, namespace).length > 0;
  return isThere ? undefined : { message: `\`${objectText(recorded)}\` is no longer in the list` };
}

/** An annotated layer names its target and its priority itself. */
function whyMoved(recorded: RecordedLayer, { annotated, target, survey }: Around): Why | undefined {
  if (recorded.slot !== undefined || isComponent(target)) return undefined;
  const found = (annotated.get(recorded.name) ?? []).filter(({ item }) => isRecordedAs(item, recorded));
  const named = `\`${objectText(recorded)}\``;
  if (found.length === 0 && isKeptAs(recorded, survey)) return undefined;
  if (found.length === 0) return { message: `${named} is no longer a layer of its target` };
  const [layer] = found;
  if (layer === undefined || found.some(({ priority }) => priority === recorded.priority)) return undefined;
  const message = `${named} has priority ${layer.priority} now, and had ${recorded.priority}`;
  return { message, layer: layer.item };
}

/** A layer that stayed: kustomize renames targets, and not what annotations name. */
function isKeptAs({ kind, name, namespace }: RecordedLayer, { names }: Survey): boolean {
  return names.within(kind, name, namespace).some(({ annotations }) => annotations.get(Mark.kept) === "true");
}

/** The layers of a stack that were folded, as they lay: others may have sorted the list since, and ties go by its order. */
function layersOf(byName: LayersByName, recorded: readonly RecordedLayer[]): readonly Layer[] {
  const taken = new Set<Layer>();
  for (const each of recorded) {
    const found = byName.get(each.name)?.find((layer) => !taken.has(layer) && isAs(layer, each));
    if (found !== undefined) taken.add(found);
  }
  return [...taken];
}

function isAs({ item, reference, priority }: Layer, recorded: RecordedLayer): boolean {
  if (!isRecordedAs(item, recorded) || reference?.slot !== recorded.slot) return false;
  return reference === undefined || (reference.key === recorded.key && priority === recorded.priority);
}

/** True if the layers, folded alone, give what was recorded; also if one of them cannot be read. */
function isMadeOf(item: Item, layers: readonly Layer[], stack: Stack, context: Context): boolean {
  const isKnown = layers.every(
    (layer) => context.layers.isReadable(layer) && !context.layers.isOpened(layer),
  );
  if (!isKnown) return true;
  const [run, second] = foldedAlone(layers, stack, context);
  if (run === undefined) return true;
  return second === undefined && run.text.digest() === readRecord(item)?.digest;
}

function stale(item: Item, { message, layer }: Why): Diagnostic {
  return {
    code: "folded-stale",
    severity: "error",
    message: `\`${objectText(item)}\` is not what would be folded now: ${message}`,
    hint: "fold again; if an overlay changes the layers, name the function there, too",
    item: refOf(item),
    at: placeOf(item),
    ...(layer === undefined ? {} : { also: [placeOf(layer)] }),
  };
}
