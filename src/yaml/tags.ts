// Tags, where they are written, and how a Go reader reads text that has one. go-yaml v2 knows a few tags; with any other the text stays text.
import { resolvePlain, type Resolved, spellFloat } from "./resolve-plain.ts";

/**
 * Text with a tag; undefined where Go refuses it, because the tag does not fit.
 * @param isPlain true if the text has no quotes: without a tag that of others is text
 */
export function resolveTagged(
  written: string | undefined,
  text: string,
  isPlain: boolean,
): Resolved | undefined {
  if (written === undefined) {
    if (!isPlain) return { type: "string", text };
    return text === "<<" ? { type: "merge", text } : resolvePlain(text);
  }
  const tag = shortTag(written);
  if (text === "<<" && (tag === "!!merge" || tag === "!")) return { type: "merge", text };
  if (tag === "!!binary") return decoded(text);
  const type = tagTypes.get(tag);
  return type === undefined ? { type: "string", text } : fitted(type, text);
}

function fitted(type: TagType, text: string): Resolved | undefined {
  if (type === "timestamp") return isTimestamp(text) ? { type: "string", text } : undefined;
  const resolved = resolvePlain(text);
  if (type === "float" && resolved.type === "int")
    return { type: "float", text: spellFloat(Number(resolved.text)) };
  const own = type === "int" && resolved.type === "big" ? "int" : resolved.type;
  return own === type ? resolved : undefined;
}

type TagType = "bool" | "int" | "float" | "null" | "timestamp";

/** Tags that make go-yaml resolve text, quoted or not. */
const tagTypes: ReadonlyMap<string, TagType> = new Map([
  ["!!bool", "bool"],
  ["!!int", "int"],
  ["!!float", "float"],
  ["!!null", "null"],
  ["!!timestamp", "timestamp"],
]);

/** `!<tag:yaml.org,2002:str>`, and one with characters escaped, say `!!str`. */
function shortTag(tag: string): string {
  const short = tag.replace(/^!<tag:yaml\.org,2002:(.*)>$/, "!!$1");
  return short.replaceAll(/%([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

function decoded(text: string): Resolved | undefined {
  const packed = text.replaceAll("\n", "");
  const isBase64 = packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
  return isBase64 ? { type: "string", text: Buffer.from(packed, "base64").toString("utf8") } : undefined;
}

const date =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}):(\d{1,2}):(\d{1,2})([.,]\d+)?(Z|[-+]\d\d:\d\d)?)?$/;

/** The formats that go-yaml takes. */
function isTimestamp(text: string): boolean {
  const match = date.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const isZoned = match[8] !== undefined;
  if (match[4] !== undefined && isZoned !== /[Tt]/.test(text)) return false;
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12;
  return isDay && day >= 1 && (match[4] === undefined || (hour < 24 && minute < 60 && second < 60));
}

/** Anchors, tags and comments, as they may precede a node. */
const properties = /^(?:[&!]\S*(?:\s+|$)(?:#.*\s+)*)+/;

/** The source of a node → its tag and the source after its properties. */
export function splitProperties(source: string): { readonly tag: string | undefined; readonly rest: string } {
  const [before] = properties.exec(source) ?? [""];
  return { tag: tagIn(before), rest: source.slice(before.length) };
}

/** The tag among properties, as it is written. */
export function tagIn(before: string): string | undefined {
  if (!before.includes("!")) return undefined;
  return before.match(/#.*|[&!]\S*/g)?.find((each) => each.startsWith("!"));
}
