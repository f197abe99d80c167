// The documents of a stack → every value of it with what that overrides, and how many values each layer sets.
import type { ExplainedValue, OverriddenValue } from "../explanation.ts";
import { guard } from "../layer/guarded.ts";
import type { LayerReader } from "../layer/layers.ts";
import type { Barrier, Layer, Stack } from "../model.ts";
import type { Item } from "../wire/item.ts";
import { isNull } from "../yaml/resolve.ts";
import { isScalar, type Node, valueOf } from "../yaml/tape.ts";
import { remember } from "./hidden.ts";
import { oneLine } from "./one-line.ts";
import type { Places } from "./places.ts";
import { holdingsOf, type Said, sizeOf } from "./walk.ts";

/** A place of a stack, and what was read there. */
export interface Standing {
  readonly layer?: Layer;
  readonly barrier?: Barrier;
  /** True for what the target holds itself, over all layers. */
  readonly isInline?: boolean;
  readonly state?: "sealed" | "unreadable";
  readonly root?: Node;
}

/** All places of a stack, lowest first, with their documents as they are now. */
export function readStack({ below, entries }: Stack, reader: LayerReader): Standing[] {
  const lowest: Standing[] =
    below === "unknown" ? [{}] : below.map((layer) => ({ layer, ...readingOf(layer, reader) }));
  const rest = entries.map((entry): Standing =>
    "barrier" in entry ? entry : { layer: entry.layer, ...readingOf(entry.layer, reader) },
  );
  return [...lowest, ...rest];
}

function readingOf(layer: Layer, reader: LayerReader): Pick<Standing, "state" | "root"> {
  if (reader.isSealed(layer)) return { state: "sealed" };
  if (reader.keyFault(layer) !== undefined) return { state: "unreadable" };
  const { faults, root } = reader.valuesOf(layer);
  if (faults.length > 0) return { state: "unreadable" };
  return root === undefined ? {} : { root };
}

/** Whose stack it is, and what tells places. */
export interface Scene {
  readonly target: Item | undefined;
  readonly reader: LayerReader;
  readonly places: Places;
  /** True where only what overrides something is told in full. */
  readonly isBrief: boolean;
}

const nothing: readonly OverriddenValue[] = [];

export interface Counts {
  sets: number;
  overridden: number;
}

/** The values of a stack, and how many each layer sets. */
export class ValuesOfStack {
  private readonly standings: readonly Standing[];
  private readonly ids: readonly string[];
  private readonly scene: Scene;
  private readonly counts: Counts[];
  /** Whose values nobody may see. */
  private readonly secrets: readonly boolean[];

  constructor(standings: readonly Standing[], ids: readonly string[], scene: Scene) {
    this.standings = standings;
    this.ids = ids;
    this.scene = scene;
    this.counts = standings.map(() => ({ sets: 0, overridden: 0 }));
    this.secrets = standings.map(({ layer }) => layer !== undefined && scene.reader.isSecret(layer));
  }

  of(index: number): Counts {
    return this.counts[index] as Counts;
  }

  values(): ExplainedValue[] {
    const roots = this.standings.flatMap(({ root }, layer): Said[] =>
      root === undefined ? [] : [{ layer, node: root }],
    );
    return holdingsOf(roots).map(({ path, winner, over, isMapping }) => {
      if (this.scene.isBrief && over.length === 0) return this.alone(winner, path);
      const text = isMapping ? undefined : oneLine(winner.node);
      if (!isMapping) this.of(winner.layer).sets++;
      const value = {
        path,
        by: this.ids[winner.layer] ?? "",
        ...this.textOf(winner, text),
        ...this.placed(winner, path),
        ...(isMapping ? { mapping: true } : {}),
        over: over.map((each) => this.overridden(each, path, { text, said: winner })),
      };
      this.hide(value, winner, text);
      return value;
    });
  }

  /** A value that overrides nothing, where nobody asks what it is. */
  private alone({ layer }: Said, path: readonly string[]): ExplainedValue {
    this.of(layer).sets++;
    return { path, by: this.ids[layer] ?? "", over: nothing };
  }

  private overridden(
    said: Said,
    path: readonly string[],
    by: { readonly text: string | undefined; readonly said: Said },
  ): OverriddenValue {
    const counts = this.of(said.layer);
    const size = sizeOf(said.node);
    counts.sets += size;
    counts.overridden += size;
    const text = oneLine(said.node);
    // Of a secret nobody learns that it is what another one is.
    const isSecret = this.isSecret(said) || this.isSecret(by.said);
    const atom = valueOf(by.said.node);
    const isNulled = !isSecret && by.text !== undefined && isScalar(atom) && isNull(atom);
    const value: OverriddenValue = {
      by: this.ids[said.layer] ?? "",
      ...this.textOf(said, text),
      ...this.placed(said, path),
      effect: !isSecret && text === by.text ? "same" : isNulled ? "nulled" : "replaced",
      ...(isScalar(valueOf(said.node)) || !text.startsWith("{") ? {} : { mapping: true }),
    };
    this.hide(value, said, text);
    return value;
  }

  private isSecret({ layer }: Said): boolean {
    return this.secrets[layer] !== false;
  }

  private textOf(said: Said, text: string | undefined): { readonly text?: string } {
    return text === undefined || this.isSecret(said) ? {} : { text };
  }

  /** `diff` must know whether a secret changes, and nobody what it is. */
  private hide(value: object, said: Said, text: string | undefined): void {
    if (text !== undefined && this.isSecret(said)) remember(value, guard(Buffer.from(text, "utf8"), true));
  }

  private placed({ layer, node }: Said, path: readonly string[]): Pick<ExplainedValue, "at"> {
    const { layer: own } = this.standings[layer] ?? {};
    const { places, target } = this.scene;
    if (own !== undefined) return { at: places.ofValue(own, node, path) };
    return target === undefined ? {} : { at: places.ofInline(target, node) };
  }
}
