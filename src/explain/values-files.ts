// Bare values files, as `helm -f` takes them: the list that holds them as the layers of one HelmRelease, which merges them
// in the same way, and answers about that list in the words of the files.
import { decodeStream } from "../krm/index.ts";
import { Exit, type Outcome, unreadable } from "../report/index.ts";
import { findForeignEncoding, isFault, normalizeText, readDocument, type ReadFault } from "../yaml/index.ts";
import { helmReleaseKind } from "../kinds.ts";
import { type FoldInput, type Steps, unsupplied } from "../core/index.ts";
import type { Diagnostic, Position } from "../diagnostic.ts";
import type { ExplainedLayer, ExplainedStack, Explanation } from "../explanation.ts";
import { type Explained, explaining, type ExplainCall } from "./explain.ts";
import { finalValues } from "./final-values.ts";
import { jsonOf } from "./json.ts";
import type { FilePlaces } from "./places.ts";
import { mergedName, valuesKind } from "./titles.ts";
import { verify } from "./verify.ts";

/** A file of values: `{ name: "prod.yaml", bytes: Buffer.from("replicas: 5\n") }`. */
export interface ReadValuesFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Files, the lowest first, and what applies to their values. */
export interface FilesCall extends Pick<FoldInput, "settings"> {
  readonly files: readonly ReadValuesFile[];
}

/** The merged document. The outcome's output is empty where something is wrong. */
export function* mergingFiles(request: FilesCall & { readonly json: boolean }): Steps<Outcome> {
  const broken = brokenFile(request.files);
  if (broken !== undefined) return broken;
  const { json } = request;
  const outcome = yield* finalValues({
    ...listOf(request),
    target: `${listed}/${listedName}`,
    secrets: false,
  });
  const [text] = outcome.output;
  const merged = ofFiles({ ...outcome, diagnostics: outcome.diagnostics.map(asLoss) }, request.files);
  if (text === undefined || merged.exitCode !== Exit.ok) return { ...merged, output: [] };
  return { ...merged, output: [json ? Buffer.from(jsonOf(text), "utf8") : text] };
}

/** Without the values of a sealed file, what is merged is another document. */
function asLoss(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code !== "values-missing") return diagnostic;
  return {
    ...diagnostic,
    severity: "error",
    hint: "open the file first: sops --decrypt FILE | valuefold merge base.yaml -",
  };
}

/** The same explanation as for a list: its one target is the merged values. */
export function* explainingFiles(
  request: FilesCall & Pick<ExplainCall, "path" | "isBrief">,
): Steps<Explained> {
  const { files, settings: _settings, ...question } = request;
  const broken = brokenFile(files);
  if (broken !== undefined) return { explanation: undefined, outcome: broken };
  const { explanation, outcome } = yield* explaining({ ...listOf(request), ...question });
  return { explanation: explanation && explanationOf(explanation), outcome: ofFiles(outcome, files) };
}

/** What keeps the files from merging; lints, protected paths and schemas. */
export function verifyFiles(request: FilesCall): Outcome {
  const { files } = request;
  const merged = unsupplied(mergingFiles({ ...request, json: false }));
  const broken = merged.diagnostics.some(({ severity }) => severity === "error");
  const checked = broken
    ? merged
    : ofFiles(verify({ ...listOf(request), strict: false, unfolded: true }), files);
  const known = new Set(checked.diagnostics.map(({ code, message }) => `${code} ${message}`));
  const others = merged.diagnostics.filter(({ code, message }) => !known.has(`${code} ${message}`));
  const diagnostics = [...checked.diagnostics, ...others];
  const outcome = { exitCode: checked.exitCode, output: [], diagnostics };
  if (outcome.exitCode !== Exit.ok) return outcome;
  return { ...outcome, account: () => ({ text: `checked ${files.map(({ name }) => name).join(", ")}\n` }) };
}

/** What a file holds: values have neither `apiVersion` nor `kind`. Undefined for nothing, and for what cannot be read. */
export function contentsOf(bytes: Uint8Array): "values" | "manifests" | undefined {
  const envelope = decodeStream(bytes);
  if ("items" in envelope && envelope.items.length > 0)
    return envelope.items.some(({ kind, apiVersion }) => kind !== "" && apiVersion !== "")
      ? "manifests"
      : "values";
  return /^["']?(?:apiVersion|kind)["']?:/m.test(Buffer.from(bytes).toString("latin1"))
    ? "manifests"
    : undefined;
}

const { kind: listed, apiVersions, references, dataKey } = helmReleaseKind;
const listedName = "values";

/** Settings that hold for values wherever they come from. Those of single targets find none. */
function settingsOf({ settings }: FilesCall): FoldInput["settings"] {
  if (settings === undefined || "faults" in settings) return settings;
  const { targets: _targets, layers: _layers, sops: _sops, ...own } = settings.settings;
  return { settings: own };
}

function listOf(request: FilesCall): FoldInput & { readonly sources: FilePlaces } {
  const { files } = request;
  const settings = settingsOf(request);
  const target = {
    apiVersion: apiVersions[0],
    kind: listed,
    metadata: { name: listedName },
    spec: { [references.lists[0]]: files.map(({ name }) => ({ kind: "ConfigMap", name })) },
  };
  const items = files.map(({ name, bytes }) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    // Helm fills in no `${…}`.
    metadata: { name, annotations: { "kustomize.toolkit.fluxcd.io/substitute": "disabled" } },
    data: { [dataKey]: Buffer.from(bytes).toString("utf8") },
  }));
  return {
    input: Buffer.from([target, ...items].map((item) => JSON.stringify(item)).join("\n---\n"), "utf8"),
    form: "stream",
    sources: {
      findItem: () => undefined,
      findText: ({ name }) => ({ file: name, line: 1, column: 1 }),
      chainOf: () => undefined,
    },
    ...(settings === undefined ? {} : { settings }),
  };
}

/** What is no single document in UTF-8. */
function brokenFile(files: readonly ReadValuesFile[]): Outcome | undefined {
  for (const { name, bytes } of files) {
    const fault = findForeignEncoding(bytes) ?? secondDocument(bytes);
    if (fault === undefined) continue;
    const outcome = unreadable(bytes, { kind: "input-unreadable", fault }, [{ name, start: 0 }]);
    return ofFiles(outcome, [{ name, bytes }]);
  }
  return undefined;
}

function secondDocument(bytes: Uint8Array): ReadFault | undefined {
  const doc = readDocument(normalizeText(bytes));
  // An empty first document, too: Helm 4 merges what follows it.
  if (isFault(doc) || !doc.followed) return undefined;
  const message = "a second YAML document: Helm 4 merges it with the first, and Helm 3 ignores it";
  return { code: "several-documents", message, hint: "make each document a file", offset: doc.end };
}

function explanationOf(explanation: Explanation): Explanation {
  const targets = explanation.targets.map(({ stacks }) => ({
    kind: valuesKind,
    name: mergedName,
    stacks: stacks.map(stackOf),
  }));
  return { ...explanation, targets };
}

function stackOf({ layers, values, runs }: ExplainedStack): ExplainedStack {
  const merged = runs.map((run) => ({ ...run, into: "the merged values" }));
  return { layers: layers.map(layerOf), runs: merged, splits: [], values };
}

function layerOf(layer: ExplainedLayer): ExplainedLayer {
  const { kind: _kind, priority: _priority, slot: _slot, key: _key, state, ...own } = layer;
  return { ...own, why: "file", state: state === "apart" ? "folded" : state };
}

/** The same outcome with messages that name files. */
function ofFiles(outcome: Outcome, files: readonly ReadValuesFile[]): Outcome {
  const names = files.map(({ name }) => name);
  const diagnostics = outcome.diagnostics.map((each) => inWordsOfFiles(each, names));
  const isBroken = diagnostics.some(({ severity }) => severity === "error");
  const exitCode = outcome.exitCode === Exit.ok && isBroken ? Exit.faults : outcome.exitCode;
  return { exitCode, output: outcome.output, diagnostics };
}

function inWordsOfFiles(
  { item: _item, field: _field, at, also, message, reason, hint, ...rest }: Diagnostic,
  names: readonly string[],
): Diagnostic {
  const place = at && placeIn(at, names);
  const others = also?.flatMap((each) => placeIn(each, names) ?? []);
  return {
    ...rest,
    message: reworded(message, names),
    ...(reason === undefined ? {} : { reason: reworded(reason, names) }),
    ...(hint === undefined ? {} : { hint: reworded(hint, names) }),
    ...(place && { at: place }),
    ...(others && { also: others }),
  };
}

/** Undefined for a place in the list itself. */
function placeIn(
  { text, line, column, isFile, source }: Position,
  names: readonly string[],
): Position | undefined {
  const place = line === undefined || column === undefined ? {} : { line, column };
  if (isFile === true) return { text, isFile, ...place };
  if (text === "input" && source?.file !== undefined)
    return { text: source.file, isFile: true, line: source.line, column: source.column };
  const file = names.find((name) => text === nameOf(name) || text === `${nameOf(name)} ${dataKey}`);
  return file === undefined ? undefined : { text: file, isFile: true, ...place };
}

function nameOf(file: string): string {
  return `ConfigMap/${file}`;
}

function reworded(text: string, names: readonly string[]): string {
  return names
    .toSorted((a, b) => b.length - a.length)
    .reduce((words, name) => words.replaceAll(nameOf(name), name), text)
    .replaceAll(`${listed}/${listedName}`, "the merged values")
    .replaceAll("the text of the data key", "the file");
}
