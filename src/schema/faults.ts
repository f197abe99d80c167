// Findings → diagnostics: the layer of the wrong value, the place in the schema that rejects it, and unread layers that
// may still change it. Never contains a value. In a Secret, contains only keys that the schema names itself.
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { compare } from "../merge/index.ts";
import { isLayerItem, type JudgedTarget } from "../layers/index.ts";
import type { Finding, Findings } from "./findings.ts";
import type { JudgedValue } from "./instance.ts";
import type { MergedValues, UnknownLayer } from "./merged.ts";
import { keywordIn, positionIn, step } from "./source.ts";

type OfTarget = Omit<JudgedTarget, "stacks">;

export function diagnosticsOf({ all, more }: Findings, target: OfTarget, merged: MergedValues): Diagnostic[] {
  const byText = new Map<string, Diagnostic>();
  for (const finding of all) {
    const diagnostic = diagnosticOf(finding, target, merged);
    const { message, at } = diagnostic;
    const key = JSON.stringify([message, at?.text, at?.line, at?.column]);
    if (!byText.has(key)) byText.set(key, diagnostic);
  }
  const distinct = [...byText.values()];
  const last = distinct.at(-1);
  if (more === 0 || last === undefined) return distinct;
  return [...distinct.slice(0, -1), { ...last, message: `${last.message}; ${more} more in this target` }];
}

function diagnosticOf(finding: Finding, about: OfTarget, merged: MergedValues): Diagnostic {
  const { instance, schema, keyword, says, missing } = finding;
  const document = merged.byDocument.get(instance.head.doc)?.document;
  const isSecret = document?.isSecret === true;
  const path = pathOf(instance, isSecret, missing);
  const unknowns = merged.unknowns.filter((each) => mayChange(each, finding, merged));
  return {
    code: "schema",
    // Every App may have layers that the input does not name. They seldom change anything, so the fault stays an error.
    severity: unknowns.some(({ name }) => name !== undefined) ? "warning" : "error",
    message: `${path === "" ? "the values" : `\`${path}\``}: ${says}${unknownText(unknowns)}`,
    ...itemOf(document ?? about),
    at: document?.positionAt(instance.head) ?? about.at,
    also: [positionIn(keyword === "" ? schema : keywordIn(schema, keyword))],
    hint: hintFor(finding, isSecret, about, unknowns),
  };
}

function itemOf({ item }: Pick<Diagnostic, "item">): Pick<Diagnostic, "item"> {
  return item === undefined ? {} : { item };
}

function hintFor(
  { missing, known, instance }: Finding,
  isSecret: boolean,
  about: OfTarget,
  unknowns: readonly UnknownLayer[],
): string {
  if (missing !== undefined) return missingHint(instance, about);
  const near = known === undefined || isSecret ? undefined : nearestKey(String(instance.key), known);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (unknowns.some(({ name }) => name === undefined))
    return "correct it, or write `app.unseen: []` if the platform binds nothing there";
  return known === undefined ? "correct the value, or the schema" : "take it out, or add it to the schema";
}

/** With more letters to compare there is no suggestion: finding one would take too long. */
const mostLetters = 20_000;

function nearestKey(key: string, known: ReadonlyMap<string, unknown>): string | undefined {
  const isTooShort = key.length < 3;
  return isTooShort || known.size * key.length > mostLetters ? undefined : nearest(key, known.keys());
}

function missingHint(instance: JudgedValue, { target, title }: OfTarget): string {
  if (isInList(instance)) return "add it here: a list is replaced whole, so nothing else brings it";
  const set = `set it in a layer of \`${title}\``;
  return "read" in target && isLayerItem(target)
    ? `${set}, or in itself`
    : `${set}; if its chart has it, write \`values: partial\``;
}

function isInList(instance: JudgedValue): boolean {
  for (let at: JudgedValue | undefined = instance; at !== undefined; at = at.parent)
    if (typeof at.key === "number") return true;
  return false;
}

function unknownText(unknowns: readonly UnknownLayer[]): string {
  if (unknowns.length === 0) return "";
  const names = [...new Set(unknowns.flatMap(({ name }) => name ?? []))].map((name) => `\`${name}\``);
  const nameless = unknowns.some(({ name }) => name === undefined)
    ? ["what the platform binds (`app.unseen`)"]
    : [];
  const all = [...names, ...nameless];
  return `, unless ${all.join(" or ")} changes it, which is above it and cannot be read`;
}

/** The path as users type it. In a Secret, `*` replaces indices and keys that the schema does not name. */
function pathOf(instance: JudgedValue, isSecret: boolean, missing: string | undefined): string {
  let text = missing === undefined ? "" : step(missing);
  for (let at: JudgedValue | undefined = instance; at?.key !== undefined; at = at.parent) {
    const isHidden = isSecret && !at.isNamed;
    if (typeof at.key === "number") text = `[${isHidden ? "*" : at.key}]${text}`;
    else text = (isHidden ? ".*" : step(at.key)) + text;
  }
  return text.replace(/^\./, "");
}

/** True if an unread layer may override what the finding depends on. */
function mayChange({ rank, steps }: UnknownLayer, finding: Finding, merged: MergedValues): boolean {
  const grounds = finding.within ?? finding.instance;
  if (lowestRank(grounds, merged) > rank) return false;
  if (steps === undefined) return true;
  const keys: (string | number)[] = [];
  for (let at: JudgedValue | undefined = grounds; at?.key !== undefined; at = at.parent) keys.unshift(at.key);
  const path = keys.map((key) => (typeof key === "number" ? `[${key}]` : key));
  const elements = keys.flatMap((key, depth) => (typeof key === "number" ? depth : []));
  return compare(path, steps, elements) !== undefined;
}

/** The rank of the lowest layer that contributes to a value. */
function lowestRank(instance: JudgedValue, merged: MergedValues): number {
  const { tree } = instance;
  const own = merged.byDocument.get(instance.head.doc)?.rank ?? 0;
  if (tree.type === "leaf") return own;
  const parts = tree.type === "list" ? instance.items() : instance.members();
  return parts.reduce((least, each) => Math.min(least, lowestRank(each, merged)), own);
}
