// What a Go reader makes of plain text. The consumers read values with sigs.k8s.io/yaml, which is
// go-yaml v2 (YAML 1.1: `on` is true, 010 is 8) and then turns every key into text.

export interface Resolved {
  readonly type: "string" | "null" | "bool" | "int" | "big" | "float" | "merge";
  /** As sigs.k8s.io/yaml spells the value when it is a key. */
  readonly text: string;
}

const words: ReadonlyMap<string, Resolved> = new Map([
  ...list("null", "null", ["", "~", "null", "Null", "NULL"]),
  ...list("bool", "true", ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"]),
  ...list("bool", "false", ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"]),
  ...list("float", ".nan", [".nan", ".NaN", ".NAN"]),
  ...list("float", ".inf", [".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"]),
  ...list("float", "-.inf", ["-.inf", "-.Inf", "-.INF"]),
]);

function list(type: Resolved["type"], text: string, spellings: readonly string[]): [string, Resolved][] {
  return spellings.map((spelling) => [spelling, { type, text }]);
}

const yamlFloat = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/** Resolves plain text as go-yaml v2 does for an untyped target. */
export function resolvePlain(text: string): Resolved {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (/^[-+0-9.]/.test(text)) {
    if (text.startsWith(".")) return dotted(text);
    const digits = text.replaceAll("_", "");
    const integer = parseInteger(digits);
    if (integer !== undefined && integer >= -(2n ** 63n) && integer < 2n ** 63n)
      return { type: "int", text: String(integer) };
    if (integer !== undefined && integer >= 0n && integer < 2n ** 64n)
      return { type: "big", text: String(integer) };
    const number = yamlFloat.test(digits) ? Number(digits) : Number.NaN;
    if (Number.isFinite(number)) return { type: "float", text: spellFloat(number) };
  }
  return { type: "string", text };
}

/** After a dot Go's own parser decides: `_` only between digits. */
function dotted(text: string): Resolved {
  const isNumber = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/.test(text);
  const number = isNumber ? Number(text.replaceAll("_", "")) : Number.NaN;
  return Number.isFinite(number) ? { type: "float", text: spellFloat(number) } : { type: "string", text };
}

/** strconv.ParseInt with base 0: `0x`, `0o`, `0b`, a leading 0 for octal, a sign before any of them. */
function parseInteger(digits: string): bigint | undefined {
  const match = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|([1-9][0-9]*|0))$/.exec(digits);
  if (match === null) return undefined;
  const [, sign, hex, octal, binary, decimal] = match;
  const literal = hex ? `0x${hex}` : octal ? `0o${octal}` : binary ? `0b${binary}` : (decimal ?? "0");
  return sign === "-" ? -BigInt(literal) : BigInt(literal);
}

/** strconv.FormatFloat(f, 'g', -1, 32): the shortest text that reads back as the same 32-bit float. */
export function spellFloat(value: number): string {
  const narrow = Math.fround(value);
  if (!Number.isFinite(narrow)) return narrow > 0 ? ".inf" : "-.inf";
  if (narrow === 0) return Object.is(narrow, -0) ? "-0" : "0";
  let shortest = "";
  for (let digits = 1; digits <= 9 && Math.fround(Number(shortest)) !== narrow; digits++) {
    shortest = narrow.toExponential(digits - 1);
  }
  const [mantissa = "", power = "0"] = shortest.split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(Number(shortest));
  const padded = String(Math.abs(exponent)).padStart(2, "0");
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${padded}`;
}
