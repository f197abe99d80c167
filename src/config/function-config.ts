// The function config → complete settings, or all its faults. Two forms: kind ValueFold with `spec`,
// or a ConfigMap whose `data` holds the settings as flat strings by path (`app.unseen`).
import * as v from "valibot";
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { isNothing, ownApiVersion, ownKind } from "./defaults.ts";
import { fromFlat } from "./flat.ts";
import { plainSchemas } from "./inline-schema.ts";
import { Settings } from "./settings.ts";
import { twiceFaults } from "./written-twice.ts";
import { childOf, textAt } from "../wire/item.ts";
import { farAliases } from "../yaml/aliases.ts";
import type { ReadFault } from "../yaml/fault.ts";
import { isFault, readDocument } from "../yaml/read.ts";
import { toPlain } from "../yaml/plain.ts";
import { keyText } from "../yaml/scalar.ts";
import {
  childrenOf,
  Field,
  field as fieldOf,
  isMapping,
  lineAndColumn,
  type Node,
  valueOf,
} from "../yaml/tape.ts";

export type ConfigOutcome = { readonly settings: Settings } | { readonly faults: readonly Diagnostic[] };

/** The same from the text of a file; undefined gives the defaults. */
export function readFunctionConfig(bytes: Uint8Array | undefined): ConfigOutcome {
  if (bytes === undefined) return parseFunctionConfig(undefined);
  const doc = readDocument(bytes);
  if (isFault(doc)) return unreadable(bytes, doc);
  if (doc.followed) return unreadable(bytes, { ...anotherDocument, offset: doc.end });
  return parseFunctionConfig({ doc, row: 0 });
}

const anotherDocument = {
  message: "a second YAML document stands in it, and one only is read",
  hint: "keep the settings of both in one document",
};

function unreadable(
  bytes: Uint8Array,
  {
    message,
    offset = 0,
    hint = "correct the YAML of the function config",
  }: Pick<ReadFault, "message" | "offset"> & { readonly hint?: string },
): ConfigOutcome {
  const at = { text: "function config", ...lineAndColumn(bytes, offset) };
  return { faults: [{ code: "invalid-setting", severity: "error", message, at, hint }] };
}

const noMapping = {
  message: "expected a mapping",
  hint: `write apiVersion: ${ownApiVersion}, kind: ${ownKind}, and the settings under spec`,
};

export function parseFunctionConfig(config: Node | undefined): ConfigOutcome {
  if (config === undefined || isNothing(config)) return { settings: v.parse(Settings, {}) };
  if (!isMapping(valueOf(config)))
    return unreadable(config.doc.bytes, { ...noMapping, offset: fieldOf(config, Field.start) });
  const far = farAliases(config);
  if (far !== undefined) return unreadable(config.doc.bytes, far);
  const twice = twiceFaults(config, "function config", "invalid-setting");
  if (twice.length > 0) return { faults: twice };
  const kind = textAt(config, "kind") ?? "";
  if (kind === "ConfigMap") {
    const others = unknownKeys(config, ["data"]);
    if (others.length > 0) return { faults: others };
    const flat = fromFlat(childOf(config, "data"));
    return "faults" in flat ? flat : parseSettings(flat.plain, "data");
  }
  const foreign = kind !== ownKind || textAt(config, "apiVersion") !== ownApiVersion;
  if (foreign) return { faults: [wrongKind(`${textAt(config, "apiVersion") ?? ""}/${kind}`)] };
  const others = unknownKeys(config, ["spec"]);
  if (others.length > 0) return { faults: others };
  const spec = childOf(config, "spec");
  return parseSettings(spec === undefined ? {} : plainSettings(spec), "spec");
}

function plainSettings(spec: Node): unknown {
  const plain = toPlain(spec, undefined);
  const schemas = childOf(spec, "schemas");
  return schemas === undefined ? plain : { ...(plain as object), schemas: plainSchemas(schemas) };
}

/** Settings have one place; anywhere else they would be ignored without a word. */
function unknownKeys(config: Node, places: readonly string[]): Diagnostic[] {
  const allowed = ["apiVersion", "kind", "metadata", ...places];
  return [...childrenOf(valueOf(config))]
    .map(keyText)
    .filter((key) => !allowed.includes(key))
    .map((key) => ({
      ...unknownSetting(key, allowed),
      hint: settingNames().includes(key)
        ? `settings stand under \`${places[0]}\``
        : `here stand ${allowed.join(", ")}`,
    }));
}

/** Paths of settings, and the groups they are in. */
function settingNames(): string[] {
  return [...new Set(settingPaths().flatMap((path) => [path, path.split(".")[0] as string]))];
}

/** Settings given as an object: what would stand under `spec`. */
export function readSettings(plain: unknown): ConfigOutcome {
  return parseSettings(plain, "spec");
}

function parseSettings(plain: unknown, root: string): ConfigOutcome {
  const outcome = v.safeParse(Settings, plain ?? {});
  if (outcome.success) return { settings: outcome.output };
  return { faults: outcome.issues.map((issue) => toDiagnostic(issue, root)) };
}

function toDiagnostic(issue: v.GenericIssue, root: string): Diagnostic {
  const path = (v.getDotPath(issue) ?? "").replaceAll(/\.(\d+)(?=\.|$)/g, "[$1]");
  const field = path === "" ? root : `${root}.${path}`;
  if (issue.type === "strict_object" && issue.expected === "never") {
    const [element, list] =
      /^(?:(?:merge|protect|schemas)\[\d+\]\.)?(targets|only|merge|protect|schemas|from)(?:\[\d+\])?\./.exec(
        path,
      ) ?? [];
    const known =
      element === undefined
        ? settingNames()
        : keysOf(list as keyof typeof elementKeys).map((key) => element + key);
    return unknownSetting(path, known, field);
  }
  const isOwn = ["regex", "check", "custom"].includes(issue.type);
  // Of several forms the settings say in words what they are.
  const wanted = issue.message.startsWith("expected ")
    ? issue.message
    : `expected ${issue.expected ?? "another value"}`;
  const expected = isOwn ? issue.message : `${wanted}, got ${issue.received}`;
  return {
    code: "invalid-setting",
    severity: "error",
    message: `\`${field}\`: ${expected}`,
    field,
    hint: "correct it in the function config",
  };
}

/** What the elements of lists in the settings hold. */
const elementKeys = {
  targets: ["kind", "name", "namespace", "labels"],
  merge: ["path", "key", "list", "mapping", "null", "targets"],
  protect: ["path", "above", "only", "targets"],
  only: ["kind", "name", "namespace"],
  schemas: ["targets", "key", "from", "schema", "file", "values"],
  from: ["kind", "name", "namespace", "key"],
} as const;

function keysOf(list: keyof typeof elementKeys): readonly string[] {
  return elementKeys[list];
}

function unknownSetting(path: string, known: readonly string[], field = path): Diagnostic {
  const near = nearest(path, known);
  if (near === path)
    return {
      code: "unknown-setting",
      severity: "error",
      message: `unknown setting \`${path}\` in one word`,
      field,
      hint: `write it nested: \`${path.replaceAll(".", ": {")}: …${"}".repeat(path.split(".").length - 1)}\``,
    };
  const hint = near === undefined ? `the settings are ${known.join(", ")}` : `did you mean \`${near}\`?`;
  return { code: "unknown-setting", severity: "error", message: `unknown setting \`${path}\``, field, hint };
}

function wrongKind(got: string): Diagnostic {
  if (got === "/")
    return {
      code: "invalid-setting",
      severity: "error",
      message: "the function config has no kind, so its settings are not read",
      field: "kind",
      hint: `write apiVersion: ${ownApiVersion}, kind: ${ownKind}, and the settings under spec`,
    };
  return {
    code: "invalid-setting",
    severity: "error",
    message: `expected a function config \`${ownApiVersion}/${ownKind}\` or a ConfigMap, got \`${got}\``,
    field: "kind",
    hint: `write apiVersion: ${ownApiVersion} and kind: ${ownKind}`,
  };
}

/** Paths of all settings, by the schema. */
export function settingPaths(): string[] {
  return Object.entries(Settings.entries).flatMap(([key, schema]) => {
    const inner: unknown = "wrapped" in schema ? schema.wrapped : schema;
    const entries =
      typeof inner === "object" && inner !== null && "entries" in inner
        ? Object.keys(inner.entries as object)
        : [];
    // A group that is off unless it is named is a setting itself.
    const isOff = "default" in schema && schema.default === undefined;
    const inside = entries.map((name) => `${key}.${name}`);
    return entries.length === 0 ? [key] : [...(isOff ? [key] : []), ...inside];
  });
}
