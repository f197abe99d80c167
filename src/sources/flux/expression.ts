// Variables in a text, as Flux replaces them (fluxcd/pkg/envsubst): `${name}`, `${name:=default}`, `${name/old/new}` and
// the other forms of a shell. What has a variable whose value cannot be known stays as it is written.
import type { Variable } from "../../explanation.ts";
import type { SubstitutedText } from "../kustomize/substitution.ts";

/** A variable and its value, which one that stays does not have. A name that is not set is an empty text. */
export type Lookup = (name: string) => FoundVariable | "unset";

export type FoundVariable = Variable & ({ readonly value: string } | { readonly stays: string });

/** What Flux refuses, or a pattern that cannot be judged here. */
export class BadExpression extends Error {}

/** @throws BadExpression */
export function substituted(text: string, lookup: Lookup): SubstitutedText {
  return new ExpressionReader(text, lookup).all();
}

/** How many expressions may be in each other. */
const deepest = 500;

const name = /[\p{L}\p{Nd}_]+/uy;

class ExpressionReader {
  private readonly text: string;
  private readonly lookup: Lookup;
  private readonly variables = new Map<string, Variable>();
  private at = 0;
  private depth = 0;
  private isUnknown = false;

  constructor(text: string, lookup: Lookup) {
    this.text = text;
    this.lookup = lookup;
  }

  all(): SubstitutedText {
    let text = "";
    while (this.at < this.text.length) {
      const next = this.text.indexOf("$", this.at);
      text += this.text.slice(this.at, next < 0 ? undefined : next);
      if (next < 0) break;
      this.at = next;
      text += this.take("${") ? this.outermost(next) : this.dollar();
    }
    return { text, variables: [...this.variables.values()] };
  }

  /** Two are one. */
  private dollar(): string {
    this.at += this.text.startsWith("$$", this.at) ? 2 : 1;
    return "$";
  }

  private outermost(start: number): string {
    this.isUnknown = false;
    const value = this.expression();
    return this.isUnknown ? this.text.slice(start, this.at) : value;
  }

  /** What is after `${`, up to its `}`. */
  private expression(): string {
    this.depth++;
    if (this.depth > deepest) throw this.bad(`more than ${deepest} in each other`);
    const value = this.oneExpression();
    this.depth--;
    return value;
  }

  private oneExpression(): string {
    if (this.take("#")) {
      const value = this.valueOf(this.nameHere());
      this.close();
      return String(Buffer.byteLength(value));
    }
    const value = this.valueOf(this.nameHere());
    const [operator = ""] = this.match(/:[=\-?+]|=|[,^]{1,2}|\/[/#%]?|##?|%%?|:/y) ?? [];
    if (/^(?::.|=)$/.test(operator)) return this.withDefault(value);
    if (operator === ":") return this.part(value);
    if (operator.startsWith("/")) return this.replaced(value, operator);
    if (/^[#%]/.test(operator)) return this.cut(value, operator);
    this.close();
    return inCase(value, operator);
  }

  private withDefault(value: string): string {
    let rest = "";
    while (!this.take("}")) rest += this.argument(/[^}]/);
    return value === "" ? rest : value;
  }

  private part(value: string): string {
    const start = this.argument(/[^:}]/);
    const length = this.match(/:+/y) === undefined ? undefined : this.argument(/[^}]/);
    this.close();
    if (!isInteger(start) || (length !== undefined && !isInteger(length))) return value;
    const from = Number(start) < 0 ? Math.max(0, value.length + Number(start)) : Number(start);
    const to = length === undefined ? value.length : from + Number(length);
    if (from >= value.length) return "";
    if (to < from) throw this.bad();
    return value.slice(from, to);
  }

  private replaced(value: string, operator: string): string {
    const old = this.argument(/[^/]/, true);
    if (this.match(/\/+/y) === undefined) throw this.bad();
    const isBare = this.text[this.at] === "}";
    const made = isBare ? "" : this.argument(/[^}]/, true);
    this.close();
    if (operator === "//") return value.replaceAll(old, () => made);
    if (operator === "/") return value.replace(old, () => made);
    if (isBare) return value;
    if (operator === "/#") return value.startsWith(old) ? made + value.slice(old.length) : value;
    return value.endsWith(old) ? value.slice(0, value.length - old.length) + made : value;
  }

  private cut(value: string, operator: string): string {
    const pattern = this.argument(/[^}]/);
    this.close();
    const isSuffix = operator.startsWith("%");
    const [text, own] = isSuffix ? [reversed(value), reversed(pattern)] : [value, pattern];
    if (/[[\\]/.test(own)) throw new BadExpression(`the pattern \`${pattern}\` of a variable`);
    const lengths = matchingLengths(Array.from(own), Array.from(text));
    const found = operator.length === 1 ? lengths[0] : lengths.at(-1);
    const rest = found === undefined ? text : Array.from(text).slice(found).join("");
    return isSuffix ? reversed(rest) : rest;
  }

  /** A text up to a character that ends it, or another expression. */
  private argument(accepted: RegExp, hasEscapes = false): string {
    if (this.take("${")) return this.expression();
    const start = this.at;
    let text = "";
    for (let next = this.text[this.at]; next !== undefined; next = this.text[this.at]) {
      const isEscape = hasEscapes && /^(?:\$\$|\\[/\\])/.test(this.text.slice(this.at, this.at + 2));
      if (!isEscape && (!accepted.test(next) || this.text.startsWith("${", this.at))) break;
      if (isEscape) this.at++;
      text += this.text[this.at] ?? "";
      this.at++;
    }
    if (this.at === start) throw this.bad();
    return text;
  }

  private nameHere(): string {
    const [found] = this.match(name) ?? [];
    if (found === undefined) throw this.bad();
    return found;
  }

  private valueOf(variable: string): string {
    const found = this.lookup(variable);
    if (found === "unset") return "";
    const { name: own, at } = found;
    if ("value" in found) this.variables.set(own, { name: own, at });
    else this.variables.set(own, { name: own, at, stays: found.stays });
    if ("value" in found) return found.value;
    this.isUnknown = true;
    return "";
  }

  private take(start: string): boolean {
    const isThere = this.text.startsWith(start, this.at);
    if (isThere) this.at += start.length;
    return isThere;
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found !== undefined) this.at += found[0].length;
    return found;
  }

  private close(): void {
    if (!this.take("}")) throw this.bad();
  }

  /** The expression is not quoted: it may be a part of a Secret. */
  private bad(why = ""): BadExpression {
    const { length } = this.text.slice(0, this.at).split("\n");
    return new BadExpression(`\`\${\` in line ${length} of the object${why && `, ${why}`}`);
  }
}

function inCase(value: string, operator: string): string {
  const [first = ""] = value;
  const rest = value.slice(first.length);
  if (operator === ",,") return value.toLowerCase();
  if (operator === "^^") return value.toUpperCase();
  if (operator === ",") return first.toLowerCase() + rest;
  return operator === "^" ? first.toUpperCase() + rest : value;
}

function isInteger(text: string): boolean {
  return /^[+-]?\d+$/.test(text);
}

/** How many steps a pattern may take, of which each is one of its characters at one of the text's. */
const mostSteps = 1e9;

/** How long the starts of a text are that fit a pattern, the shortest first, without the empty one. Never goes back. */
function matchingLengths(pattern: readonly string[], text: readonly string[]): readonly number[] {
  if (pattern.length * text.length > mostSteps)
    throw new BadExpression("a pattern of a variable that is too long");
  let fits = new Uint8Array(text.length + 1);
  fits[0] = 1;
  for (const each of pattern)
    fits = each === "*" ? fits.fill(1, fitting(fits)) : oneFurther(fits, text, each);
  return [...fits.keys()].filter((length) => length > 0 && fits[length] === 1);
}

/** Where the shortest start that fits ends. */
function fitting(fits: Uint8Array): number {
  const first = fits.indexOf(1);
  return first < 0 ? fits.length : first;
}

function oneFurther(fits: Uint8Array, text: readonly string[], wanted: string): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(fits.length);
  for (const [index, character] of text.entries())
    if (fits[index] === 1 && (wanted === "?" || character === wanted)) next[index + 1] = 1;
  return next;
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join("");
}
