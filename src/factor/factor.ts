// Values files that were copied from each other → a base, layers that some of them share, and one layer each. What comes out is
// proven: no caller gets texts that do not give each file again.
import { leafOf, mergeAll, type MergeRule, Rules, writeValues } from "../merge/index.ts";
import type { Node } from "../yaml/index.ts";
import { lessBelow } from "./below.ts";
import { cutPinned } from "./cut.ts";
import type { CutOptions } from "./cut-form.ts";
import { baseHeaded, layerHeaded } from "./heads.ts";
import { type ListKey, payingRules } from "./list-keys.ts";
import { type Middle, takeMiddles } from "./middle.ts";
import { type Part, Parts } from "./part.ts";
import { Pins } from "./pins.ts";
import { type Merge, type Proof, type ProofOptions, prove, readAgain } from "./prove.ts";
import { textOfLayer } from "./text.ts";

/** A file of values that can be read, and has some. */
export interface FactoredFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly root: Node;
}

export interface FactorOptions {
  /** What goes into the base: the value that most files have, or only what all of them have. */
  readonly shared: "most" | "all";
  /** True if elements of lists may come back in another order. */
  readonly reorder: boolean;
  /** True for layers that only some of the files share. */
  readonly middle: boolean;
  /** Rules that the user named, and whether others that save lines are looked for. */
  readonly listKeys: readonly MergeRule[];
  readonly findListKeys: boolean;
  /** True where only values that are spelled alike are equal. */
  readonly isSpelled: boolean;
}

/** The files, what is below them and does not change, and the merge that the proof uses. */
export interface FactorRequest extends FactorOptions {
  readonly sources: readonly FactoredFile[];
  readonly below: readonly Node[];
  readonly merge?: Merge;
  /** The same sources, as they were read with other options. */
  readonly known?: Pick<Factored, "parts" | "roots">;
}

interface FactoredLayer {
  readonly text: Uint8Array;
  /** Undefined for a layer that says nothing. */
  readonly part: Part | undefined;
}

export interface Factored {
  readonly base: FactoredLayer;
  readonly middles: readonly (FactoredLayer & Middle)[];
  /** A layer for each file, in their order. */
  readonly own: readonly FactoredLayer[];
  readonly listKeys: readonly ListKey[];
  /** Names of files that do not come back; empty if the proof holds. */
  readonly unproven: readonly string[];
  /** Lists that come back in another order. */
  readonly reordered: number;
  /** What the files are, as the cut reads them. */
  readonly roots: readonly Part[];
  readonly parts: Parts;
}

export function factor(request: FactorRequest): Factored {
  const pins = new Pins();
  const parts = request.known?.parts ?? new Parts(request.isSpelled);
  const roots = request.known?.roots ?? request.sources.map(({ root }) => parts.read(root));
  const lower = lowerOf(request);
  const below = lower === undefined ? [] : [parts.read(lower)];
  const left = roots.map((root) =>
    below.reduce<Part | undefined>((rest, each) => rest && lessBelow(each, rest, parts), root),
  );
  const options: CutOptions = { parts, pins, shared: request.shared, reorder: request.reorder };
  const present = left.flatMap((part) => part ?? []);
  const listKeys = listKeysFor(present, below, request, options);
  const rules = Rules.of(listKeys.map(({ rule }) => rule));
  for (;;) {
    const made = withHeads(layersOf(left, rules, request, options), request.sources);
    const proofs = provenBy(made, request, lower, rules);
    const unordered = proofs.flatMap((proof) => proof.unordered).filter((list) => pins.keepOrder(list));
    if (unordered.length > 0) continue;
    const unproven = request.sources.flatMap(({ name }, index) =>
      proofs[index]?.holds === true ? [] : name,
    );
    const reordered = proofs.reduce((sum, proof) => sum + proof.reordered, 0);
    return { ...made, listKeys, unproven, reordered, roots, parts };
  }
}

/** What is below all files, as one document. */
function lowerOf({ below, isSpelled }: FactorRequest): Node | undefined {
  const [only] = below;
  return below.length < 2 ? only : readAgain(writeValues(mergeAll(below)), isSpelled)?.[0];
}

function listKeysFor(
  roots: readonly Part[],
  below: readonly Part[],
  { listKeys, findListKeys }: FactorOptions,
  options: CutOptions,
): readonly ListKey[] {
  if (findListKeys) return payingRules(roots, listKeys, below, options);
  return listKeys.map((rule) => ({ rule, saved: 0 }));
}

type Layers = Pick<Factored, "base" | "middles" | "own">;

/** @param left what files say that is not below them; files that say nothing share nothing */
function layersOf(
  left: readonly (Part | undefined)[],
  rules: Rules | undefined,
  { middle }: FactorOptions,
  options: CutOptions,
): Layers {
  const isShared = left.length > 1 && !left.includes(undefined);
  const cut = isShared ? cutPinned(left as Part[], rules, options) : { base: undefined, rest: left };
  const own = [...cut.rest];
  const middles = middle ? takeMiddles({ own, rules, options }) : [];
  return {
    base: layerOf(cut.base),
    middles: middles.map((each) => ({ ...each, text: textOfLayer(each.part) })),
    own: own.map(layerOf),
  };
}

/** The same layers, with the comments at the top of each file where they belong. */
function withHeads({ base, middles, own }: Layers, sources: readonly FactoredFile[]): Layers {
  const files = sources.map(({ bytes }) => bytes);
  const text = base.part === undefined ? base.text : baseHeaded(base.text, files);
  const headed = own.map((layer, index) => ({
    part: layer.part,
    text: layerHeaded(layer.text, files[index] as Uint8Array, [text]),
  }));
  return { base: { part: base.part, text }, middles, own: headed };
}

function layerOf(part: Part | undefined): FactoredLayer {
  return { part, text: textOfLayer(part) };
}

function provenBy(
  { base, middles, own }: Layers,
  { sources, reorder, isSpelled, merge = mergeAll }: FactorRequest,
  lower: Node | undefined,
  rules: Rules | undefined,
): readonly Proof[] {
  const options: ProofOptions = { merge, rules, reorder, isSpelled };
  const below = lower === undefined ? [] : [lower];
  const lowest = readAgain(base.text, isSpelled);
  const between = middles.map(({ text, files }) => ({ read: readAgain(text, isSpelled), files }));
  return sources.map(({ root }, file) => {
    const chain = between.flatMap(({ read, files }) => (files.includes(file) ? [read] : []));
    const layers = [lowest, ...chain, readAgain((own[file] as FactoredLayer).text, isSpelled)];
    return prove(
      { below, layers, wanted: lower === undefined ? leafOf(root) : mergeAll([lower, root]) },
      options,
    );
  });
}
