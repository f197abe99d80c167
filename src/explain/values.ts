// The documents of a stack → every value of it with what that overrides, and how many values each layer sets.
import type { ExplainedValue, OverriddenValue, Place } from "../explanation.ts";
import {
  compare,
  doubleQuote,
  guard,
  isMapping as isMappingNode,
  isNull,
  isScalar,
  type Item,
  type LayerReader,
  permissionText,
  type Protection,
  type ReadEntry,
  type Rules,
  ruleText,
  valueOf,
} from "../core/index.ts";
import type { Notes } from "../schema/index.ts";
import { remember } from "./hidden.ts";
import { oneLine } from "./one-line.ts";
import type { Pieces } from "./pieces.ts";
import type { Places } from "./places.ts";
import type { Said } from "./elements.ts";
import { type Holding, holdingsOf, sizeOf } from "./walk.ts";

/** Whose stack it is, and what tells places. */
export interface Scene {
  readonly target: Item | undefined;
  readonly reader: LayerReader;
  readonly places: Places;
  /** True where only what overrides something is told in full. */
  readonly isBrief: boolean;
  /** Paths that only some layers may set. */
  readonly protections: readonly Protection[];
  /** What merging does at some paths. */
  readonly rules: Rules | undefined;
  /** In which pieces layers reach their consumer: rules hold within one. */
  readonly pieces: Pieces | undefined;
  /** What schemas say of paths, where there are any. */
  readonly notes?: Notes;
}

/** Columns, and lines of a text that nobody sees, would tell how long the values before are. */
function roughly({ of, file, line, key }: Place): Place {
  const named = { ...(file === undefined ? {} : { file }), ...(key === undefined ? {} : { key }) };
  return of === "file" && line !== undefined ? { of, ...named, line } : { of, ...named };
}

export interface Counts {
  sets: number;
  overridden: number;
}

interface WholeText {
  readonly whole: string;
  readonly layer: number;
}

/** The values of a stack, and how many each layer sets. */
export class ValuesOfStack {
  private readonly standings: readonly ReadEntry[];
  private readonly ids: readonly string[];
  private readonly scene: Scene;
  private readonly counts: Counts[];
  /** Whose values nobody may see. */
  private readonly secrets: readonly boolean[];

  constructor(standings: readonly ReadEntry[], ids: readonly string[], scene: Scene) {
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
    const texts = this.standings.flatMap(({ whole }, layer) =>
      whole === undefined ? [] : [{ whole, layer }],
    );
    const [top, ...below] = texts.toReversed();
    return top === undefined ? this.ofMappings() : [this.ofText(top, below)];
  }

  /** Of texts the uppermost counts, whole. */
  private ofText(top: WholeText, below: readonly WholeText[]): ExplainedValue {
    const isOpen = !this.isSecret(top);
    const over = below.map((each): OverriddenValue => {
      const isSame = isOpen && each.whole === top.whole && !this.isSecret(each);
      const value = { ...this.toldText(each), effect: isSame ? ("same" as const) : ("replaced" as const) };
      return this.hide(value, each, each.whole);
    });
    return this.hide({ path: [], ...this.toldText(top), over }, top, top.whole);
  }

  private toldText({ whole, layer }: WholeText): Pick<ExplainedValue, "by" | "text" | "at"> {
    const { layer: own } = this.standings[layer] ?? {};
    const by = this.idOf(layer);
    const at = own === undefined ? undefined : this.scene.places.ofLayer(own);
    const told = { by, ...(at && { at }) };
    return this.isSecret({ layer }) ? told : { ...told, text: doubleQuote(whole) };
  }

  private ofMappings(): ExplainedValue[] {
    const roots = this.standings.flatMap(({ root }, layer): Said[] =>
      root === undefined ? [] : [{ layer, node: root }],
    );
    const isSecret = (said: Said): boolean => this.isSecret(said);
    const { rules, pieces, isBrief } = this.scene;
    const holdings = holdingsOf(roots, { rules, pieces, isSecret, isBrief });
    return isBrief ? this.inBrief(holdings) : holdings.map((each) => this.explained(each));
  }

  /**
   * What tells which layers change something, which mappings are lost, and what hides what. Once a layer is known to
   * change something, a value that hides nothing tells nothing more.
   */
  private inBrief(holdings: readonly Holding[]): ExplainedValue[] {
    const changing = new Set<number>();
    const values: ExplainedValue[] = [];
    for (const holding of holdings) {
      const { winner, over, isMapping } = holding;
      if (over.length === 0 && !isMapping) {
        // How many there are nobody asks in brief, only whether there are any.
        this.of(winner.layer).sets++;
        if (!changing.has(winner.layer)) values.push(this.outlined(holding));
        changing.add(winner.layer);
        continue;
      }
      const isLossy = isMapping || over.some(({ node }) => isMappingNode(valueOf(node)));
      if (!isLossy && changing.has(winner.layer)) {
        this.count(holding);
        if (over.length > 1) values.push(this.outlined(holding));
        continue;
      }
      const value = this.explained(holding, isLossy);
      const [below] = value.over;
      if (below?.effect !== "same") changing.add(winner.layer);
      values.push(value);
    }
    return values;
  }

  /** Who hides whom, and where. */
  private outlined({ path, winner, over }: Holding): ExplainedValue {
    const below = over.map(({ layer }): OverriddenValue => ({ by: this.idOf(layer), effect: "replaced" }));
    return { path, by: this.idOf(winner.layer), over: below };
  }

  private count({ winner, over }: Holding): void {
    this.of(winner.layer).sets++;
    for (const said of over) this.countOverridden(said);
  }

  private countOverridden({ layer, node }: Said): void {
    const counts = this.of(layer);
    const size = sizeOf(node);
    counts.sets += size;
    counts.overridden += size;
  }

  private idOf(layer: number): string {
    return this.ids[layer] ?? "";
  }

  private explained(
    { path, winner, over, isMapping, rule, left, elements }: Holding,
    isPlaced = true,
  ): ExplainedValue {
    const text = isMapping ? undefined : (left ?? oneLine(winner.node));
    if (!isMapping) this.of(winner.layer).sets++;
    const value = {
      path,
      by: this.idOf(winner.layer),
      ...this.textOf(winner, text),
      ...(isPlaced ? this.placed(winner, path) : {}),
      ...(isMapping ? { mapping: true } : {}),
      ...(rule === undefined ? {} : { rule: ruleText(rule) }),
      ...(elements === undefined ? {} : { elements }),
      ...this.protectedAt(path),
      ...this.saidBySchemas(path),
      over: over.map((each) => this.overridden(each, path, { text, said: winner, isPlaced })),
    };
    return this.hide(value, winner, text);
  }

  private protectedAt(path: readonly string[]): Pick<ExplainedValue, "protected"> {
    const found = this.scene.protections.filter(({ steps }) => compare(path, steps) === "inside");
    if (found.length === 0) return {};
    return { protected: found.map(({ rule }) => permissionText(rule)).join(" and ") };
  }

  private saidBySchemas(path: readonly string[]): Pick<ExplainedValue, "schema"> {
    const schema = this.scene.notes?.(path) ?? [];
    return schema.length === 0 ? {} : { schema };
  }

  private overridden(
    said: Said,
    path: readonly string[],
    by: { readonly text: string | undefined; readonly said: Said; readonly isPlaced: boolean },
  ): OverriddenValue {
    this.countOverridden(said);
    const text = oneLine(said.node);
    // Of a secret nobody learns that it is what another one is.
    const isSecret = this.isSecret(said) || this.isSecret(by.said);
    const atom = valueOf(by.said.node);
    const isNulled = !isSecret && by.text !== undefined && isScalar(atom) && isNull(atom);
    const value: OverriddenValue = {
      by: this.idOf(said.layer),
      ...this.textOf(said, text),
      ...(by.isPlaced ? this.placed(said, path) : {}),
      effect: !isSecret && text === by.text ? "same" : isNulled ? "nulled" : "replaced",
      ...(isScalar(valueOf(said.node)) || !text.startsWith("{") ? {} : { mapping: true }),
    };
    return this.hide(value, said, text);
  }

  private isSecret({ layer }: Pick<Said, "layer">): boolean {
    return this.secrets[layer] !== false;
  }

  private textOf(said: Said, text: string | undefined): { readonly text?: string } {
    return text === undefined || this.isSecret(said) ? {} : { text };
  }

  /** `diff` must know whether a secret changes, and nobody what it is. */
  private hide<V extends object>(value: V, said: Pick<Said, "layer">, text: string | undefined): V {
    if (text !== undefined && this.isSecret(said)) remember(value, guard(Buffer.from(text, "utf8"), true));
    return value;
  }

  private placed(said: Said, path: readonly string[]): Pick<ExplainedValue, "at"> {
    const { layer: own } = this.standings[said.layer] ?? {};
    const { places, target } = this.scene;
    if (own === undefined) return target === undefined ? {} : { at: places.ofInline(target, said.node) };
    const at = places.ofValue(own, said.node, path);
    return { at: this.isSecret(said) ? roughly(at) : at };
  }
}
