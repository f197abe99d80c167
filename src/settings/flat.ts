// The settings of a ConfigMap: texts by path (`app.unseen`) → the nested object that `spec` would give.
import type { Diagnostic } from "../diagnostic.ts";
import { farAliases, type ReadFault, isFault, readDocument, Node } from "../yaml/index.ts";
import { isNothing } from "./defaults.ts";
import { plainSchemas } from "./inline-schema.ts";
import { placeOfEntry } from "./places.ts";
import { saidTwice, writtenTwice } from "./written-twice.ts";

/** Settings that are text even if they look like YAML. */
const textual: ReadonlySet<string> = new Set(["output.name", "output.hashSuffix", "sops.keys"]);

export function fromFlat(
  data: Node | undefined,
): { readonly plain: unknown } | { readonly faults: readonly Diagnostic[] } {
  if (data === undefined || isNothing(data)) return { plain: {} };
  if (!data.isMapping) return { faults: [noMapping] };
  const result: SettingGroup = new Map();
  const faults: Diagnostic[] = [];
  for (const child of data.children()) {
    const path = child.keyText;
    const read = plainOf(child.value, path);
    if ("faults" in read) for (const fault of read.faults) faults.push(wrongText(child, fault));
    else
      for (const other of place(result, path.split("."), read.plain))
        faults.push(saidElsewhere(child, other));
  }
  return faults.length > 0 ? { faults } : { plain: unmap(result) };
}

type TextFault = Pick<Diagnostic, "message" | "hint"> & { readonly within?: string };
type FlatSetting = { readonly plain: unknown } | { readonly faults: readonly TextFault[] };

function plainOf(value: Node, path: string): FlatSetting {
  if (!value.isScalar) return { faults: [noText] };
  const text = value.text;
  return textual.has(path) ? { plain: text } : fromText(text, path === "schemas");
}

const noText: TextFault = {
  message: "expected a string, as all that a ConfigMap holds",
  hint: "write it after `|`, or in quotes on one line",
};

const noMapping: Diagnostic = {
  code: "invalid-setting",
  severity: "error",
  message: "`data`: expected a mapping",
  field: "data",
  hint: "write each setting under its path: `layers: keep`",
};

function fromText(text: string, isSchemas: boolean): FlatSetting {
  const doc = readDocument(Buffer.from(text, "utf8"));
  if (isFault(doc)) return { faults: [unreadable(doc)] };
  if (doc.followed) return { faults: [severalDocuments] };
  const root = new Node(doc);
  const far = farAliases(root);
  if (far !== undefined) return { faults: [unreadable(far)] };
  const twice = writtenTwice(root);
  if (twice.length > 0) return { faults: twice.map((each) => ({ ...saidTwice, within: each.field })) };
  return { plain: isSchemas ? plainSchemas(root) : root.plain(undefined) };
}

const severalDocuments: TextFault = {
  message: "there is a second YAML document in it, and only one is read",
  hint: "remove the `---`",
};

function unreadable({ message }: ReadFault): TextFault {
  return { message, hint: "correct the YAML of this string" };
}

function wrongText(entry: Node, { message, hint, within = "" }: TextFault): Diagnostic {
  const path = `data.${entry.keyText}${within === "" || within.startsWith("[") ? within : `.${within}`}`;
  const at = placeOfEntry(entry);
  return {
    code: "invalid-setting",
    severity: "error",
    message: `\`${path}\`: ${message}`,
    at,
    field: path,
    ...(hint === undefined ? {} : { hint }),
  };
}

function saidElsewhere(entry: Node, setting: string): Diagnostic {
  return wrongText(entry, { ...saidTwice, message: `another key of \`data\` says \`${setting}\`, too` });
}

type SettingGroup = Map<string, unknown>;

/** Puts a setting at its path; which ones are there already, of those that it says. */
function place(into: SettingGroup, [key = "", ...rest]: readonly string[], value: unknown): string[] {
  const known = into.get(key);
  const below = rest.length > 0 ? [{ path: rest, value }] : entriesOf(value);
  if (below === undefined || (known !== undefined && !(known instanceof Map))) {
    if (known !== undefined && value !== undefined) return [key];
    into.set(key, known ?? value);
    return [];
  }
  const inner = known instanceof Map ? (known as SettingGroup) : new Map<string, unknown>();
  into.set(key, inner);
  return below.flatMap((each) => place(inner, each.path, each.value)).map((path) => `${key}.${path}`);
}

/** Of a mapping what is in it. */
function entriesOf(
  value: unknown,
): readonly { readonly path: readonly string[]; readonly value: unknown }[] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([key, inner]) => ({ path: [key], value: inner as unknown }));
}

function unmap(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...(value as SettingGroup)].map(([key, inner]) => [key, unmap(inner)]));
}
