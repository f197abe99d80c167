// What is odd about layers, though nothing is wrong with them: one that changes nothing, an override that is hidden
// everywhere, a mapping that something else replaces, one object twice in a stack. Read from an explanation.
import type { Diagnostic, Position } from "../../diagnostic.ts";
import { objectId, objectText } from "../../object-id.ts";
import { grouped } from "../../grouped.ts";
import { pathText } from "../../merge/index.ts";
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
  Explanation,
  OverriddenValue,
  Place,
} from "../../explanation.ts";
import { type NamedLayer, positionOf as filePosition } from "../document.ts";
import { layerAt, titleOf } from "../titles.ts";
import { idleValues } from "./idle-values.ts";

/** One layer in one stack. */
interface LayerUse {
  readonly target: ExplainedTarget;
  readonly stack: ExplainedStack;
  readonly layer: ExplainedLayer;
  readonly facts: Facts;
}

export interface LintOptions {
  /** Items that `render` made: it writes a ConfigMap and a Secret for every app, even if one is empty. */
  readonly rendered: ReadonlySet<string>;
  /** Whether single values are looked at, too. */
  readonly ofValues: boolean;
}

export function lintLayers(
  { targets }: Explanation,
  { rendered, ofValues }: LintOptions = { rendered: new Set(), ofValues: false },
): Diagnostic[] {
  const all = targets.flatMap((target) =>
    target.stacks.flatMap((stack) => {
      const facts = factsOf(stack);
      return stack.layers.map((layer): LayerUse => ({ target, stack, layer, facts }));
    }),
  );
  const named = all.filter(({ layer }) => layer.name !== undefined && layer.why !== "chart");
  const byObject = grouped(named, ({ layer }) => `${nameOf(layer)} ${layer.key ?? ""}`);
  return [
    ...[...byObject.values()].flatMap((uses) => {
      const ofLayer = idle(uses, rendered);
      const found = ofLayer.length > 0 || !ofValues ? ofLayer : idleIn(uses);
      return [...found, ...hidden(uses)];
    }),
    ...all.filter(({ layer }) => layer.why === "parameter").flatMap(idleParameters),
    ...targets.flatMap((target) => target.stacks.flatMap((stack) => listedTwice(target, stack))),
    ...targets.flatMap((target) => target.stacks.flatMap((stack) => kindsReplaced(target, stack))),
  ];
}

/** Without it every stack would have the same values. */
function idle(uses: readonly LayerUse[], rendered: ReadonlySet<string>): Diagnostic[] {
  const [first] = uses;
  if (first?.layer.sets === 0 && rendered.has(nameOf(first.layer))) return [];
  // A layer by label has values in two stacks, and may be for several targets: it is not idle by one of them.
  const known = uses.filter(({ layer }) => layer.sets !== undefined && layer.why !== "label");
  if (first === undefined || known.length < uses.length) return [];
  if (known.some(({ facts, layer }) => facts.changing.has(layer.id))) return [];
  // A chart's own values, listed once more.
  const isOfChart = ({ stack, layer }: LayerUse): boolean =>
    stack.layers.some((each) => each.why === "chart" && nameOf(each) === nameOf(layer));
  if (known.some(isOfChart)) return [];
  const isHidden = known.some(
    ({ facts, layer }) => (layer.overridden ?? 0) > 0 || facts.removed.has(layer.id),
  );
  // In a single stack, defaults that a higher layer overrides do their job.
  if (isHidden && known.length < 2) return [];
  const found =
    first.layer.sets === 0 && !isHidden
      ? { message: "this layer sets nothing" }
      : {
          message: `nothing would change without this layer of ${targetsOf(known)}`,
          reason: "a higher layer overrides its values, or a lower one has them already",
        };
  const hint = "remove it and what names it, or correct it";
  return [{ code: "idle-layer", severity: "warning", ...found, hint, ...about(first.layer) }];
}

/** Values that the layers below have already. They may be there on purpose: to stay when a layer below changes. */
function idleIn(uses: readonly LayerUse[]): Diagnostic[] {
  const [first] = uses;
  if (first === undefined) return [];
  const own = uses.map(({ stack, layer }) => ({ stack, id: layer.id }));
  return (["layer", "chart"] as const).flatMap((by): Diagnostic[] => {
    const paths = idleValues(own, by);
    if (paths.length === 0) return [];
    const message = `this layer of ${targetsOf(uses)} sets ${someOf(paths)} again`;
    return [{ severity: "warning", message, ...saidBy[by], ...about(first.layer) }];
  });
}

const saidBy = {
  layer: {
    code: "idle-value",
    reason: "the layers below it set the same",
    hint: "remove it, unless it must stay when a layer below changes",
  },
  chart: {
    code: "equals-default",
    reason: "the chart's defaults are the same",
    hint: "remove it, unless it must stay when the chart changes",
  },
} as const;

/** Parameters that set what the layers below them have already. */
function idleParameters({ target, stack, layer }: LayerUse): Diagnostic[] {
  const own = [{ stack, id: layer.id }];
  const paths = [...idleValues(own, "layer"), ...idleValues(own, "chart")];
  const at = stack.values.find(({ by, path }) => by === layer.id && paths.includes(pathText(path)))?.at;
  if (paths.length === 0) return [];
  const message = `parameters of ${titleOf(target)} set ${someOf(paths)} again`;
  const reason = "the layers below them set the same";
  const place = { at: positionOf(layer.slot ?? "parameters", at) };
  return [{ code: "idle-layer", severity: "warning", message, reason, hint: "remove them", ...place }];
}

function someOf(paths: readonly string[]): string {
  const named = paths.slice(0, 3).map((path) => `\`${path}\``);
  const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : "";
  return named.join(", ") + more;
}

/** Values that override something, and are overridden themselves in every target that has the layer. */
function hidden(uses: readonly LayerUse[]): Diagnostic[] {
  const [first, second] = uses;
  if (first === undefined || second === undefined) return [];
  const paths = uses.map(({ facts, layer }) => facts.hidden().get(layer.id) ?? new Set<string>());
  const everywhere = [...(paths[0] ?? [])].filter((path) => paths.every((each) => each.has(path)));
  if (everywhere.length === 0) return [];
  return [
    {
      code: "hidden-override",
      severity: "warning",
      message: `${someOf(everywhere)} here ${everywhere.length === 1 ? "is" : "are"} overridden everywhere`,
      reason: `higher layers set it in all of ${targetsOf(uses)}`,
      hint: "see with `valuefold explain` what overrides it; remove it if nothing else reads it",
      ...about(first.layer),
    },
  ];
}

/** Facts about the layers of a stack, by id, read from its values. */
interface Facts {
  /** Layers without which a value changes, or may change: the values of an unseen layer below are unknown. */
  readonly changing: ReadonlySet<string>;
  /** Layers of which a value is removed by a higher one. */
  readonly removed: ReadonlySet<string>;
  /** Paths at which a layer overrides something, and is overridden: needed only for layers in several stacks. */
  hidden(): ReadonlyMap<string, ReadonlySet<string>>;
}

function factsOf(stack: ExplainedStack): Facts {
  let known: ReturnType<Facts["hidden"]> | undefined;
  const removed = new Set(stack.removed?.flatMap(({ was }) => layerAt(stack.layers, was)?.id ?? []));
  return { changing: changingIn(stack), removed, hidden: () => (known ??= hiddenIn(stack)) };
}

function changingIn({ layers, values, removed = [] }: ExplainedStack): ReadonlySet<string> {
  const ranks = new Map(layers.map(({ id }, rank) => [id, rank]));
  // How many layers up to a rank have unknown values.
  let unknown = 0;
  const unknownUpTo = layers.map(({ sets }) => (unknown += Number(sets === undefined)));
  const changing = new Set(removed.flatMap(({ at }) => layerAt(layers, at)?.id ?? []));
  for (const { by, over, mapping } of values) {
    if (changing.has(by)) continue;
    const [below] = over;
    const [upper, lower] = [ranks.get(by) ?? 0, ranks.get(below?.by ?? "") ?? 0];
    const isUnknownBetween = unknownUpTo[upper] !== unknownUpTo[lower];
    if (mapping === true || below?.effect !== "same" || isUnknownBetween) changing.add(by);
  }
  return changing;
}

function hiddenIn({ values }: ExplainedStack): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, over } of values)
    for (const { by } of over.slice(0, -1)) {
      const known = found.get(by) ?? new Set<string>();
      found.set(by, known.add(pathText(path)));
    }
  return found;
}

/** A chart's own values may be listed once more: that changes nothing. */
const neverListed: readonly string[] = ["own", "catalog", "chart"];

/** A consumer merges it twice: at its higher place it overrides the layers between. */
function listedTwice(target: ExplainedTarget, { layers }: ExplainedStack): Diagnostic[] {
  const named = layers.filter(({ name, why }) => name !== undefined && !neverListed.includes(why));
  const twice = [...grouped(named, (layer) => [nameOf(layer), layer.key, layer.setsPath].join(" ")).values()];
  return twice.flatMap(([lower, upper]): Diagnostic[] => {
    if (lower === undefined || upper === undefined) return [];
    const places = [lower, upper].map(
      ({ slot, priority }) => `\`${slot ?? "annotation"}\` (${priority ?? "top"})`,
    );
    return [
      {
        code: "listed-twice",
        severity: "warning",
        message: `\`${nameOf(lower)}\` is listed twice in the stack of ${titleOf(target)}: at ${places.join(" and at ")}`,
        hint: "keep one of the two: at the higher place it overrides the layers between",
        item: objectId(target),
        at: positionOf(titleOf(target), target.at),
      },
    ];
  });
}

/** A text or a list where a lower layer has keys, or keys where it has a list: all of them are gone. A null does so on purpose. */
function kindsReplaced(target: ExplainedTarget, { layers, values }: ExplainedStack): Diagnostic[] {
  return values.flatMap((value): Diagnostic[] => {
    const loss = lossOf(value, titleOf(target));
    const layer = layers.find(({ id }) => id === value.by);
    if (loss === undefined || layer === undefined) return [];
    const { lost, ...fault } = loss;
    const lower = layers.find(({ id }) => id === lost.by);
    return [
      {
        severity: "warning",
        ...fault,
        ...about(layer),
        at: positionOf(textOf(layer), value.at),
        ...(lower === undefined ? {} : { also: [positionOf(textOf(lower), lost.at)] }),
      },
    ];
  });
}

type Loss = Pick<Diagnostic, "code" | "message" | "reason" | "hint"> & { readonly lost: OverriddenValue };

function lossOf(value: ExplainedValue, target: string): Loss | undefined {
  const { over, mapping, rule } = value;
  const path = `\`${pathText(value.path)}\` of ${target}`;
  const keys = over.find((each) => each.mapping === true && each.text !== "{}");
  if (keys !== undefined && !isMeant(value))
    return {
      code: "mapping-replaced",
      message: `this value replaces the whole mapping ${path}`,
      reason: "all keys of the lower layers are lost",
      hint: "write only the keys that change, or `null` to remove all",
      lost: keys,
    };
  const [list] = over;
  const isList = list?.text?.startsWith("[") === true && list.text !== "[]";
  if (!isList || mapping !== true || rule !== undefined) return undefined;
  return {
    code: "list-replaced",
    message: `this mapping replaces the whole list ${path}`,
    reason: "its elements are lost",
    hint: "write a list, or `null` in a layer between to remove the list",
    lost: list,
  };
}

function isMeant({ mapping, over }: ExplainedValue): boolean {
  return mapping === true || over[0]?.effect === "nulled" || over.some(({ effect }) => effect === "nulled");
}

function targetsOf(uses: readonly LayerUse[]): string {
  const names = [...new Set(uses.map(({ target }) => titleOf(target)))];
  const [only = "", second] = names;
  return second === undefined ? only : `${names.length} targets`;
}

function nameOf({ kind, namespace, slot = "", name = slot }: NamedLayer): string {
  return objectText({ kind, name, namespace });
}

export function textOf(layer: NamedLayer): string {
  return layer.key === undefined ? nameOf(layer) : `${nameOf(layer)} ${layer.key}`;
}

export function about(layer: NamedLayer): Pick<Diagnostic, "item" | "at"> {
  const { kind, name = "", namespace } = layer;
  if (kind === undefined) return layer.at === undefined ? {} : { at: filePosition(layer.at) };
  const at = positionOf(nameOf(layer), layer.at);
  return { item: objectId({ kind, name, namespace }), at };
}

export function positionOf(text: string, place: Place | undefined): Position {
  if (place === undefined) return { text };
  if (text === place.file) return filePosition(place);
  const { of, file, line, column } = place;
  if (of === "text")
    return {
      text,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    };
  if (line === undefined || file === undefined) return { text, ...(file === undefined ? {} : { file }) };
  return { text, source: { file, line, column: column ?? 1 } };
}
