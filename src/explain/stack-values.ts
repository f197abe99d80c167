// The documents of a stack → every value of it with what that overrides, and how many values each layer sets.
import type { ExplainedValue, OverriddenValue, Place } from "../explanation.ts";
import { compare, type Rules, ruleText } from "../merge/index.ts";
import { doubleQuote } from "../yaml/index.ts";
import { guard } from "../layers/index.ts";
import { permissionText, type Protection } from "../core/index.ts";
import type { Notes } from "../schema/index.ts";
import type { StackDocument } from "./document.ts";
import { remember } from "./hidden.ts";
import { oneLine } from "./one-line.ts";
import type { Pieces } from "./pieces.ts";
import type { LayerNode } from "./elements.ts";
import { type ResolvedValue, resolvedValues, sizeOf } from "./walk.ts";

/** What the values of a stack are explained with. */
export interface Explaining {
  /** True where only values that override another one are given in full. */
  readonly isBrief: boolean;
  /** Paths that only some layers may set. */
  readonly protections: readonly Protection[];
  /** What merging does at some paths. */
  readonly rules: Rules | undefined;
  /** In which pieces layers reach their consumer: rules hold within one. */
  readonly pieces: Pieces | undefined;
  /** What schemas say about paths, if there are any. */
  readonly notes?: Notes;
}

/** How many values a document sets. */
interface Counts {
  sets: number;
  overridden: number;
}

/** Columns, and lines of a hidden text, would reveal the length of the values before. */
function roughly({ of, file, line, key }: Place): Place {
  const named = { ...(file === undefined ? {} : { file }), ...(key === undefined ? {} : { key }) };
  return of === "file" && line !== undefined ? { of, ...named, line } : { of, ...named };
}

/** A field for a list that has something in it. */
function ifAny<F extends keyof ExplainedValue>(
  field: F,
  all: (ExplainedValue[F] & readonly unknown[]) | undefined,
): Pick<ExplainedValue, F> | undefined {
  return all === undefined || all.length === 0 ? undefined : ({ [field]: all } as Pick<ExplainedValue, F>);
}

interface WholeText {
  readonly whole: string;
  readonly layer: number;
}

/** The values of a stack, and how many each document sets. */
export class ValuesOfStack {
  private readonly documents: readonly StackDocument[];
  private readonly ids: readonly string[];
  private readonly how: Explaining;
  private readonly counts: Counts[];

  constructor(documents: readonly StackDocument[], ids: readonly string[], how: Explaining) {
    this.documents = documents;
    this.ids = ids;
    this.how = how;
    this.counts = documents.map(() => ({ sets: 0, overridden: 0 }));
  }

  of(index: number): Counts {
    return this.counts[index] as Counts;
  }

  values(): ExplainedValue[] {
    const texts = this.documents.flatMap(({ whole }, layer) =>
      whole === undefined ? [] : [{ whole, layer }],
    );
    const [top, ...below] = texts.toReversed();
    return top === undefined ? this.ofMappings() : [this.ofText(top, below)];
  }

  /** The uppermost text applies as a whole. */
  private ofText(top: WholeText, below: readonly WholeText[]): ExplainedValue {
    const isOpen = !this.isSecret(top);
    const over = below.map((each): OverriddenValue => {
      const isSame = isOpen && each.whole === top.whole && !this.isSecret(each);
      const value = { ...this.wholeText(each), effect: isSame ? ("same" as const) : ("replaced" as const) };
      return this.hide(value, each, each.whole);
    });
    return this.hide({ path: [], ...this.wholeText(top), over }, top, top.whole);
  }

  private wholeText({ whole, layer }: WholeText): Pick<ExplainedValue, "by" | "text" | "at"> {
    const by = this.idOf(layer);
    const at = this.documents[layer]?.at();
    const value = { by, ...(at && { at }) };
    return this.isSecret({ layer }) ? value : { ...value, text: doubleQuote(whole) };
  }

  private ofMappings(): ExplainedValue[] {
    const roots = this.documents.flatMap(({ root }, layer): LayerNode[] =>
      root === undefined ? [] : [{ layer, node: root }],
    );
    const isSecret = (node: LayerNode): boolean => this.isSecret(node);
    const { rules, pieces, isBrief } = this.how;
    const values = resolvedValues(roots, { rules, pieces, isSecret, isBrief });
    return isBrief ? this.inBrief(values) : values.map((each) => this.explained(each));
  }

  /**
   * Enough to see which layers change something, which mappings are lost, and what hides what. Once a layer is known to
   * change something, a value that hides nothing adds nothing.
   */
  private inBrief(values: readonly ResolvedValue[]): ExplainedValue[] {
    const changing = new Set<number>();
    const explained: ExplainedValue[] = [];
    for (const value of values) {
      const { winner, overridden, isMapping } = value;
      if (overridden.length === 0 && !isMapping) {
        // In brief only matters whether there are any, not how many.
        this.of(winner.layer).sets++;
        if (!changing.has(winner.layer)) explained.push(this.outlined(value));
        changing.add(winner.layer);
        continue;
      }
      const isLossy = isMapping || overridden.some(({ node }) => node.value.isMapping);
      if (!isLossy && changing.has(winner.layer)) {
        this.count(value);
        if (overridden.length > 1) explained.push(this.outlined(value));
        continue;
      }
      const whole = this.explained(value, isLossy);
      const [below] = whole.over;
      if (below?.effect !== "same") changing.add(winner.layer);
      explained.push(whole);
    }
    return explained;
  }

  /** Which layer hides which, and where. */
  private outlined({ path, winner, overridden }: ResolvedValue): ExplainedValue {
    const below = overridden.map(({ layer }): OverriddenValue => ({
      by: this.idOf(layer),
      effect: "replaced",
    }));
    return { path, by: this.idOf(winner.layer), over: below };
  }

  private count({ winner, overridden }: ResolvedValue): void {
    this.of(winner.layer).sets++;
    for (const node of overridden) this.countOverridden(node);
  }

  private countOverridden({ layer, node }: LayerNode): void {
    const counts = this.of(layer);
    const size = sizeOf(node);
    counts.sets += size;
    counts.overridden += size;
  }

  private idOf(layer: number): string {
    return this.ids[layer] ?? "";
  }

  private explained(
    { path, winner, overridden, isMapping, rule, left, elements }: ResolvedValue,
    isPlaced = true,
  ): ExplainedValue {
    const text = isMapping ? undefined : (left ?? oneLine(winner.node));
    if (!isMapping) this.of(winner.layer).sets++;
    const document = this.documents[winner.layer];
    const value = {
      path,
      by: this.idOf(winner.layer),
      ...this.textOf(winner, text),
      ...(isPlaced ? this.placed(winner, path) : {}),
      ...(isMapping ? { mapping: true } : {}),
      ...(rule === undefined ? {} : { rule: ruleText(rule) }),
      ...(elements === undefined ? {} : { elements }),
      ...(isPlaced && ifAny("rendered", document?.renderedOver?.(winner.node))),
      ...ifAny("variables", document?.variablesOf?.(winner.node)),
      ...(isPlaced ? this.commentAt([winner, ...overridden], path) : {}),
      ...this.protectedAt(path),
      ...ifAny("schema", this.how.notes?.(path)),
      over: overridden.map((each) => this.overridden(each, path, { text, node: winner, isPlaced })),
    };
    return this.hide(value, winner, text);
  }

  /** Of the lowest default: the topmost chart may have its own comment above a subchart's value. */
  private commentAt(nodes: readonly LayerNode[], path: readonly string[]): Pick<ExplainedValue, "comment"> {
    const found = nodes.flatMap(({ layer, node }) => {
      const document = this.documents[layer];
      const at = document?.commentAt && document.placeOf(node, path);
      return (at && document?.commentAt?.(at)) ?? [];
    });
    return found[0] === undefined ? {} : { comment: found[0] };
  }

  private protectedAt(path: readonly string[]): Pick<ExplainedValue, "protected"> {
    const found = this.how.protections.filter(({ steps }) => compare(path, steps) === "inside");
    if (found.length === 0) return {};
    return { protected: found.map(({ rule }) => permissionText(rule)).join(" and ") };
  }

  private overridden(
    node: LayerNode,
    path: readonly string[],
    by: { readonly text: string | undefined; readonly node: LayerNode; readonly isPlaced: boolean },
  ): OverriddenValue {
    this.countOverridden(node);
    const text = oneLine(node.node);
    // It must not show that a secret equals another value.
    const isSecret = this.isSecret(node) || this.isSecret(by.node);
    const atom = by.node.node.value;
    const isNulled = !isSecret && by.text !== undefined && atom.isScalar && atom.isNull;
    const value: OverriddenValue = {
      by: this.idOf(node.layer),
      ...this.textOf(node, text),
      ...(by.isPlaced ? this.placed(node, path) : {}),
      effect: !isSecret && text === by.text ? "same" : isNulled ? "nulled" : "replaced",
      ...(node.node.value.isScalar || !text.startsWith("{") ? {} : { mapping: true }),
    };
    return this.hide(value, node, text);
  }

  private isSecret({ layer }: Pick<LayerNode, "layer">): boolean {
    return this.documents[layer]?.isSecret !== false;
  }

  private textOf(node: LayerNode, text: string | undefined): { readonly text?: string } {
    return text === undefined || this.isSecret(node) ? {} : { text };
  }

  /** `diff` compares hidden texts, and never shows them. */
  private hide<V extends object>(value: V, node: Pick<LayerNode, "layer">, text: string | undefined): V {
    if (text !== undefined && this.isSecret(node)) remember(value, guard(Buffer.from(text, "utf8"), true));
    return value;
  }

  private placed(node: LayerNode, path: readonly string[]): Pick<ExplainedValue, "at"> {
    const at = this.documents[node.layer]?.placeOf(node.node, path);
    return at === undefined ? {} : { at: this.isSecret(node) ? roughly(at) : at };
  }
}
