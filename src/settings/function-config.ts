// The function config → complete settings, or all its faults. Two forms: kind ValueFold with `spec`,
// or a ConfigMap with the settings as flat strings by path (`app.unseen`) in its `data`. The file of a checkout is a ValueFold, too.
import { basename } from "node:path";
import * as v from "valibot";
import { type Diagnostic, meantOr, nearest, type Position } from "../diagnostic.ts";
import { CheckoutSettings } from "./checkout.ts";
import { checkoutFile, defaultSettings, isNothing, ownApiVersion, ownKind } from "./defaults.ts";
import { fromFlat } from "./flat.ts";
import { plainSchemas } from "./inline-schema.ts";
import { fieldBelow, listForMapping, wrongFields, type WrongField } from "./issues.ts";
import { placeOfEntry, placeOfKey, placeOfSetting, type FieldStep } from "./places.ts";
import { Settings } from "./settings.ts";
import { twiceFaults } from "./written-twice.ts";
import {
  farAliases,
  type ReadFault,
  isFault,
  readDocument,
  lineAndColumn,
  Node,
  normalizeText,
} from "../yaml/index.ts";

type Read<S> = { readonly settings: S } | { readonly faults: readonly Diagnostic[] };
export type ConfigOutcome = Read<Settings>;

/** The same from a text; undefined gives the defaults. @param file its name, where it has one */
export function readFunctionConfig(text: Uint8Array | undefined, file?: string): ConfigOutcome {
  if (text === undefined) return parseFunctionConfig(undefined);
  if (file === undefined) return readText(normalizeText(text), parseFunctionConfig);
  if (basename(file) !== checkoutFile)
    return ofFile(readText(normalizeText(text), parseFunctionConfig), file);
  const outcome = readCheckoutSettings(text, file);
  if ("faults" in outcome) return outcome;
  const { checkout: _, ...settings } = outcome.settings;
  return { settings: { ...defaultSettings, ...settings } };
}

export type CheckoutOutcome = Read<CheckoutSettings> & {
  /** The place of a setting, or of the nearest above it. */
  readonly placeOf: (path: readonly FieldStep[]) => Position;
};

/** The settings of a checkout. */
export function readCheckoutSettings(text: Uint8Array, file: string): CheckoutOutcome {
  let root: Node | undefined;
  const outcome = readText(normalizeText(text), (config) => {
    root = config;
    return parsed(config, CheckoutSettings);
  });
  const placeOf = (path: readonly FieldStep[]): Position =>
    inFile(root && placeOfSetting(root, ["spec", ...path]), file);
  return { ...ofFile(outcome, file), placeOf };
}

function ofFile<S>(outcome: Read<S>, file: string): Read<S> {
  if (!("faults" in outcome)) return outcome;
  return {
    faults: outcome.faults.map((each) => ({
      ...each,
      at: inFile(each.at, file),
      ...(each.also && { also: each.also.map((place) => inFile(place, file)) }),
    })),
  };
}

function inFile({ line, column }: Partial<Position> = {}, file: string): Position {
  const place = line === undefined || column === undefined ? {} : { line, column };
  return { text: file, isFile: true, ...place };
}

function readText<S>(bytes: Uint8Array, parse: (config: Node) => Read<S>): Read<S> {
  const doc = readDocument(bytes);
  if (isFault(doc)) return unreadable(bytes, doc);
  const config = new Node(doc);
  // A stream of manifests was named by mistake.
  if (doc.followed && !isForeign(config)) return unreadable(bytes, { ...anotherDocument, offset: doc.end });
  return parse(config);
}

/** A document of a kind that holds no settings. */
function isForeign(config: Node): boolean {
  if (!config.value.isMapping || config.textAt("kind") === "ConfigMap") return false;
  return config.textAt("kind") !== ownKind || config.textAt("apiVersion") !== ownApiVersion;
}

const anotherDocument = {
  message: "there is a second YAML document in it, and only one is read",
  hint: "keep the settings of both in one document",
};

function unreadable(
  bytes: Uint8Array,
  {
    message,
    offset = 0,
    hint = "correct the YAML of the function config",
  }: Pick<ReadFault, "message" | "offset"> & { readonly hint?: string },
): { readonly faults: readonly Diagnostic[] } {
  const at = { text: "function config", ...lineAndColumn(bytes, offset) };
  return { faults: [{ code: "invalid-setting", severity: "error", message, at, hint }] };
}

const noMapping = {
  message: "expected a mapping",
  hint: `write apiVersion: ${ownApiVersion}, kind: ${ownKind}, and the settings under spec`,
};

export function parseFunctionConfig(config: Node | undefined): ConfigOutcome {
  return parsed(config, Settings);
}

type SettingsSchema = typeof Settings | typeof CheckoutSettings;

function parsed<S extends SettingsSchema>(config: Node | undefined, schema: S): Read<v.InferOutput<S>> {
  if (config === undefined || isNothing(config)) return { settings: v.parse(schema, {}) };
  if (!config.value.isMapping) return unreadable(config.doc.bytes, { ...noMapping, offset: config.start });
  const far = farAliases(config);
  if (far !== undefined) return unreadable(config.doc.bytes, far);
  const twice = twiceFaults(config, "function config", "invalid-setting");
  if (twice.length > 0) return { faults: twice };
  const kind = config.textAt("kind") ?? "";
  if (kind === "ConfigMap") {
    const others = unknownKeys(config, ["data"], schema);
    if (others.length > 0) return { faults: others };
    const flat = fromFlat(config.get("data"));
    const data = config.get("data") ?? config;
    if ("faults" in flat) return flat;
    return parseSettings(flat.plain, "data", schema, (path) => placeOfKey(data, path));
  }
  if (isForeign(config)) return { faults: [wrongKind(`${config.textAt("apiVersion") ?? ""}/${kind}`)] };
  const others = unknownKeys(config, ["spec"], schema);
  if (others.length > 0) return { faults: others };
  const spec = config.get("spec");
  if (spec === undefined) return parseSettings({}, "spec", schema);
  return parseSettings(plainSettings(spec), "spec", schema, (path) =>
    placeOfSetting(config, ["spec", ...path]),
  );
}

function plainSettings(spec: Node): unknown {
  const plain = spec.plain(undefined);
  const schemas = spec.get("schemas");
  return schemas === undefined ? plain : { ...(plain as object), schemas: plainSchemas(schemas) };
}

/** Settings have one place; anywhere else they would be ignored without a word. */
function unknownKeys(config: Node, places: readonly string[], schema: SettingsSchema): Diagnostic[] {
  const allowed = ["apiVersion", "kind", "metadata", ...places];
  return [...config.value.children()]
    .map((entry) => ({ key: entry.keyText, entry }))
    .filter(({ key }) => !allowed.includes(key))
    .map(({ key, entry }) => ({
      ...unknownSetting(key, allowed),
      at: placeOfEntry(entry),
      hint: settingNames(schema).includes(key)
        ? `settings belong under \`${places[0]}\``
        : `the fields are ${allowed.join(", ")}`,
    }));
}

/** Paths of settings, and the groups they are in. */
function settingNames(schema: SettingsSchema): string[] {
  return [...new Set(settingPaths(schema).flatMap((path) => [path, path.split(".")[0] as string]))];
}

/** Settings given as an object: the content of `spec`. */
export function readSettings(plain: unknown): ConfigOutcome {
  return parseSettings(plain, "spec", Settings);
}

function parseSettings<S extends SettingsSchema>(
  plain: unknown,
  root: string,
  schema: S,
  placeOf?: (path: readonly FieldStep[]) => Position,
): Read<v.InferOutput<S>> {
  if (Array.isArray(plain)) {
    const at = placeOf?.([0]);
    const fault = invalid(root, `\`${root}\`: ${listForMapping}`, "write it without dashes");
    return { faults: [{ ...fault, ...(at === undefined ? {} : { at }) }] };
  }
  const outcome = v.safeParse(schema, plain ?? {});
  if (outcome.success) return { settings: outcome.output };
  return {
    faults: wrongFields(outcome.issues, schema, root, true).map((wrong) => {
      const at = placeOf?.(wrong.steps);
      return { ...toDiagnostic(wrong, schema), ...(at === undefined ? {} : { at }) };
    }),
  };
}

function toDiagnostic(
  { what, steps, field, message, meant, known }: WrongField,
  schema: SettingsSchema,
): Diagnostic {
  if (what === "unknown") {
    const inList = steps.some((step) => typeof step === "number");
    const around = steps.slice(0, -1).reduce<string>(fieldBelow, "");
    const names = inList ? known.map((key) => `${around}.${key}`) : settingNames(schema);
    if (steps[0] === "checkout" && schema === Settings)
      return { ...unknownSetting(field, []), message: "unknown setting `checkout`", hint: ofCheckout };
    const path = inList ? steps.reduce<string>(fieldBelow, "") : steps.join(".");
    return unknownSetting(path, names, field);
  }
  if (what === "missing") return invalid(field, `\`${field}\` is missing`, "add it");
  const hint = meantOr(meant, "correct it in the function config");
  const isList = message === listForMapping;
  return invalid(field, `\`${field}\`: ${message}`, isList ? "write it without dashes" : hint);
}

const ofCheckout = `it belongs in \`${checkoutFile}\`, at the top of a repository`;

function invalid(field: string, message: string, hint: string): Diagnostic {
  return { code: "invalid-setting", severity: "error", message, field, hint };
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
  const hint = meantOr(near, `the settings are ${known.join(", ")}`);
  return { code: "unknown-setting", severity: "error", message: `unknown setting \`${path}\``, field, hint };
}

function wrongKind(got: string): Diagnostic {
  if (got === "/")
    return invalid(
      "kind",
      "the function config has no kind, so its settings are not read",
      `write apiVersion: ${ownApiVersion}, kind: ${ownKind}, and the settings under spec`,
    );
  return invalid(
    "kind",
    `expected a function config \`${ownApiVersion}/${ownKind}\` or a ConfigMap, got \`${got}\``,
    `write apiVersion: ${ownApiVersion} and kind: ${ownKind}`,
  );
}

/** Paths of all settings, by the schema. */
export function settingPaths(schema: SettingsSchema = Settings): string[] {
  return Object.entries<v.GenericSchema>(schema.entries).flatMap(([key, setting]) => {
    const inner: unknown = "wrapped" in setting ? setting.wrapped : setting;
    const entries =
      typeof inner === "object" && inner !== null && "entries" in inner
        ? Object.keys(inner.entries as object)
        : [];
    // A group that is off unless it is named is a setting itself.
    const isOff = "default" in setting && setting.default === undefined;
    const inside = entries.map((name) => `${key}.${name}`);
    return entries.length === 0 ? [key] : [...(isOff ? [key] : []), ...inside];
  });
}
