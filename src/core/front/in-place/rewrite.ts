// Folded texts → the target's own data keys. A key that already has the text is not changed.
import {
  Mark,
  annotate,
  unannotate,
  isFromKpt,
  type TextEdit,
  isNode,
  type Item,
  refOf,
  atItem,
} from "../../../krm/index.ts";
import type { Diagnostic } from "../../../diagnostic.ts";
import { objectText } from "../../../object-id.ts";
import {
  type HeldTexts,
  isText,
  maxDataBytes,
  type KeyText,
  writeKeys,
  binaryBytesOf,
  type Fold,
} from "../../../layers/index.ts";
import type { Node } from "../../../yaml/index.ts";
import type { Collected } from "../front-end.ts";
import { rememberedKeys } from "./record.ts";
import { aliasFault } from "../spec.ts";

export function rewrite(
  target: Item,
  collected: Collected,
  folds: readonly Fold[],
  holdings: HeldTexts,
): readonly TextEdit[] | Diagnostic {
  const root = target.read();
  if (!isNode(root)) return [];
  const fault = folds.map((fold) => unfit(fold, target, holdings)).find((each) => each !== undefined);
  if (fault !== undefined) return fault;
  const texts = folds.flatMap((fold) => keyText(target, root, fold, holdings));
  const gone = goneKeys(target, folds);
  const tooLarge = texts.length === 0 ? undefined : boundFault(target, texts, gone, holdings);
  if (tooLarge !== undefined) return tooLarge;
  // An annotation precedes the data: at one offset it must come first.
  const edits = [...recordEdits(target, collected, folds), ...writeKeys(target, texts, gone)];
  return edits.length > 0 && root.doc.targets.size > 0 ? aliasFault(target) : edits;
}

/** A text that cannot be written at the target's key. */
function unfit(fold: Fold, target: Item, holdings: HeldTexts): Diagnostic | undefined {
  const key = keyOf(fold);
  const isEncoded = holdings.isEncoded(target, key);
  const isPlain = !isEncoded && holdings.has(target, key);
  if (fold.unencoded && isEncoded) return notExact(target, key, filledReason);
  if (fold.literal && isPlain) return notExact(target, key, encodedReason);
  if (isPlain && !fold.text.isUtf8()) return notExact(target, key, "a layer holds bytes that are not text");
  return undefined;
}

/** Keys with an earlier fold, into which nothing is folded any more. */
export function goneKeys(target: Item, folds: readonly Fold[]): string[] {
  return rememberedKeys(target).filter((key) => !folds.some((fold) => keyOf(fold) === key));
}

/** The text of a key, and where it goes; empty if the key already has it. */
function keyText(target: Item, root: Node, fold: Fold, holdings: HeldTexts): KeyText[] {
  const key = keyOf(fold);
  const present = holdings.textOf(target, key);
  if (isText(present) && present.equals(fold.text)) return [];
  const encoded = isText(present) ? holdings.isEncoded(target, key) : encodesNew(target, root, fold);
  const part = target.kind === "Secret" && !encoded ? "stringData" : "data";
  return [{ part, key, text: fold.text, encoded }];
}

/** A new key of a Secret goes where its others are, unless only one of the two can hold it. */
function encodesNew(target: Item, root: Node, { text, unencoded, literal }: Fold): boolean {
  if (target.kind !== "Secret" || unencoded) return false;
  return literal || !text.isUtf8() || root.get("data") !== undefined || root.get("stringData") === undefined;
}

function keyOf({ stack }: Fold): string {
  return stack.into?.key ?? "";
}

/**
 * Under kpt the folded keys are recorded. Other keys are the target's own from now on: an old record would claim that
 * its layers still hold them.
 */
function recordEdits(target: Item, { remembers }: Collected, folds: readonly Fold[]): TextEdit[] {
  const isOver = folds.length > 0 || isFromKpt(target);
  if (remembers !== true) return isOver ? unannotate(target, Mark.foldedKeys) : [];
  const digests = folds.map((fold) => [keyOf(fold), fold.text.digest()] as const);
  return annotate(target, { [Mark.foldedKeys]: JSON.stringify(Object.fromEntries(digests)) });
}

const encodedReason =
  "a layer holds `${` or `$$` in `data`, which Flux never substitutes, and the target's key is text";
const filledReason =
  "a layer holds `${` or `$$`, which Flux substitutes in text, and the target's `data` is encoded";

function notExact(target: Item, key: string, why: string): Diagnostic {
  return {
    code: "not-exact",
    severity: "error",
    ...atItem(target),
    message: `\`${key}\` cannot be folded into the target's own data`,
    reason: why,
    hint: "move the key of the Secret from `data` to `stringData`, or back",
  };
}

/**
 * A fault if the texts would bring a target beyond the bound: the API server bounds the whole data, not each key. A target
 * that does not grow is not reported.
 */
function boundFault(
  target: Item,
  texts: readonly KeyText[],
  gone: readonly string[],
  holdings: HeldTexts,
): Diagnostic | undefined {
  const before = new Map(holdings.keysOf(target).map((key) => [key, lengthOf(target, key, holdings)]));
  const after = new Map([...before, ...texts.map(({ key, text }) => [key, text.length] as const)]);
  for (const key of gone) after.delete(key);
  const total = sum(after) + binaryBytesOf(target);
  if (total <= maxDataBytes || sum(after) <= sum(before)) return undefined;
  return {
    code: "not-exact",
    severity: "error",
    item: refOf(target),
    at: { text: objectText(target) },
    message: "the target's data would pass 1 MiB in all",
    reason: "the API server allows no more",
    hint: "make the values smaller, or spread them over several targets",
  };
}

function lengthOf(target: Item, key: string, holdings: HeldTexts): number {
  const text = holdings.textOf(target, key);
  return isText(text) ? text.length : 0;
}

function sum(lengths: ReadonlyMap<string, number>): number {
  return [...lengths.values()].reduce((total, length) => total + length, 0);
}
