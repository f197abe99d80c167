// kustomize's own hash at the end of a generated name. In a plain pipe its mark for one (`needsHashSuffix`) is gone, but
// the hash can be computed: of kind, type and data, as Go writes them in JSON (kustomize api/hasher). It means to take
// the name in, too, and up to 5.8 finds none.
import { hash } from "node:crypto";
import { isNode, type Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";

/** Ten hexadecimal digits, in kustomize's spelling: it avoids vowels, 0, 1 and 3. */
const suffix = /-([2456789bcdfghkmt]{10})$/;
const letters: { readonly [digit: string]: string } = { "0": "g", "1": "h", "3": "k", a: "m", e: "t" };

/** True if a name ends in the hash of what the item holds. Nothing else of the content leaves this file. */
export function endsInContentHash(item: Item): boolean {
  const [tail = "", found] = suffix.exec(item.name) ?? [];
  const root = found === undefined ? undefined : item.read();
  if (root === undefined || !isNode(root)) return false;
  return ["", item.name.slice(0, -tail.length)].some((name) => hashOf(contentOf(item, root, name)) === found);
}

function hashOf(content: string): string {
  return hash("sha256", content, "hex")
    .slice(0, 10)
    .replaceAll(/[013ae]/g, (digit) => letters[digit] ?? digit);
}

function contentOf({ kind }: Item, root: Node, name: string): string {
  const data = { data: mapAt(root, "data") ?? "", kind, name };
  if (kind === "ConfigMap") return goJson({ ...optional(root, "binaryData"), ...data });
  return goJson({ ...data, ...optional(root, "stringData"), type: root.textAt("type") ?? "" });
}

function optional(root: Node, key: string): { [key: string]: object } {
  const found = mapAt(root, key);
  return found === undefined ? {} : { [key]: found };
}

/** Texts by key, sorted as Go sorts a map. */
function mapAt(root: Node, key: string): object | undefined {
  const mapping = root.get(key);
  if (mapping === undefined || !mapping.isMapping) return undefined;
  const entries = mapping.children().map((entry) => [entry.keyText, entry.value.text] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** JSON of an object with sorted keys, with the characters escaped that Go escapes. */
function goJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
