// Bare values files, as `helm -f` takes them: the one target that they make, and the questions about it.
import { decodeStream } from "../krm/index.ts";
import { defaultSettings, type Settings } from "../settings/index.ts";
import { Exit, type Outcome, unreadable } from "../report/index.ts";
import {
  findForeignEncoding,
  isFault,
  lineIndex,
  normalizeText,
  readDocument,
  type ReadFault,
} from "../yaml/index.ts";
import type { Rules } from "../merge/index.ts";
import { awaiting, type FoldInput, RulesOfTargets, type Steps } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { type Explained, explaining } from "./explain.ts";
import type { ExplainCall } from "./explainer.ts";
import { namedOf } from "./judged.ts";
import {
  fileDocument,
  positionOf,
  type ReadDocument,
  type StackDocument,
  textDocument,
  unseenDocument,
} from "./document.ts";
import { jsonOf } from "./json.ts";
import {
  chartLeftOut,
  type OverChart,
  type OverChartOf,
  type SourceTarget,
  valuesOfTarget,
} from "./source-target.ts";
import { mergedName, mergedTarget, valuesKind } from "./titles.ts";
import { verifying } from "./verify.ts";

/** A file of values: `{ name: "prod.yaml", bytes: Buffer.from("replicas: 5\n") }`. */
export interface ReadValuesFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Files, the lowest first, and what applies to their values. */
export interface FilesCall extends Pick<FoldInput, "settings"> {
  readonly files: readonly ReadValuesFile[];
  /** The chart below them, if the edge knows it. */
  readonly overChart?: OverChartOf | undefined;
  /** The version of Helm that reads them, by default 4: it ends the last line of a file. */
  readonly helm?: 3 | 4 | undefined;
}

/** The merged document. The outcome's output is empty where something is wrong. */
export function* mergingFiles(request: FilesCall & { readonly json?: boolean }): Steps<Outcome> {
  const target = yield* targetOf(request);
  const { outcome } = yield* explaining({ ...callOf(request, target), isBrief: true });
  const sealed = sealedIn(target);
  const diagnostics = [...outcome.diagnostics, ...sealed];
  if (outcome.exitCode !== Exit.ok || sealed.length > 0)
    return { exitCode: outcome.exitCode || Exit.faults, output: [], diagnostics };
  const text = yield* overItsChart(valuesOfTarget(target), target, request);
  const output = [request.json === true ? Buffer.from(jsonOf(text), "utf8") : text];
  return { exitCode: Exit.ok, output, diagnostics };
}

/** The merged values, where list rules made them. */
function* overItsChart(
  text: Uint8Array,
  { stacks }: SourceTarget,
  { overChart }: FilesCall,
): Steps<Uint8Array> {
  if (stacks[0]?.rules === undefined) return text;
  const { document } = textDocument(text, { why: "own", state: "folded" }, () => ({ of: "text" }));
  const over = yield* overIts(overChart, [document]);
  return over === undefined ? text : valuesOfTarget({ kind: valuesKind, name: mergedName, stacks: [over] });
}

/** The same explanation as for a list: its one target is the merged values. */
export function* explainingFiles(
  request: FilesCall & Pick<ExplainCall, "path" | "isBrief">,
): Steps<Explained> {
  const { path, isBrief } = request;
  const target = yield* targetOf(request);
  const [stack] = target.stacks;
  const over = stack?.rules && (yield* overIts(request.overChart, stack.documents));
  const faults = [...(target.faults ?? []), ...(over === undefined ? [] : [chartLeftOut])];
  const call = callOf(request, { ...target, faults });
  const found = yield* explaining({
    ...call,
    ...(path !== undefined && { path }),
    isBrief: isBrief === true,
  });
  const isBroken = found.outcome.diagnostics.some(({ code }) => code === "input-unreadable");
  return isBroken ? { ...found, explanation: undefined } : found;
}

/** What keeps the files from merging; lints, protected paths and schemas. */
export function* verifyingFiles(request: FilesCall): Steps<Outcome> {
  const target = yield* targetOf(request);
  const checked = yield* verifying({ ...callOf(request, target), strict: false, unfolded: true });
  const sealed = sealedIn(target);
  const exitCode = checked.exitCode === Exit.ok && sealed.length > 0 ? Exit.faults : checked.exitCode;
  const outcome = { exitCode, output: [], diagnostics: [...checked.diagnostics, ...sealed] };
  const names = request.files.map(({ name }) => name).join(", ");
  return { ...outcome, account: () => ({ text: "", checked: { targets: 0, what: names } }) };
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

const noObjects = Buffer.from("kind: List\nitems: []\n", "utf8");

/** The files as the one target, next to a list without objects. */
function callOf(
  request: FilesCall,
  target: SourceTarget,
): Pick<ExplainCall, "input" | "form" | "settings" | "targets"> {
  const { settings } = request;
  const own = settings !== undefined && "faults" in settings ? settings : { settings: settingsOf(request) };
  return { input: noObjects, form: "stream", settings: own, targets: [target] };
}

/** Settings that hold for values wherever they come from. Settings of single targets do not apply. */
function settingsOf({ settings }: FilesCall): Settings {
  if (settings === undefined || "faults" in settings) return defaultSettings;
  const { targets: _targets, layers: _layers, sops: _sops, ...own } = settings.settings;
  return own;
}

/** By list rules it is valuefold that merges, and Helm puts the result over the chart. */
function* targetOf(request: FilesCall): Steps<SourceTarget> {
  const target = { kind: valuesKind, name: mergedName };
  const rules = new RulesOfTargets(settingsOf(request)).of(namedOf(target), [])?.at;
  const read = request.files.map((each) => readFile(each, rules, request.helm));
  const documents = read.map(({ document }) => document);
  const over = yield* overIts(request.overChart, documents);
  const faults = [...read.flatMap(({ diagnostics }) => diagnostics), ...(over?.faults ?? [])];
  return { ...target, stacks: [rules === undefined && over ? over : { documents, rules }], faults };
}

function* overIts(
  overChart: FilesCall["overChart"],
  documents: readonly StackDocument[],
): Steps<OverChart | undefined> {
  return overChart && (yield* awaiting(overChart(mergedTarget, documents)));
}

function readFile(
  { name, bytes }: ReadValuesFile,
  rules: Rules | undefined,
  helm: FilesCall["helm"] = 4,
): ReadDocument {
  const facts = { name, why: "file" } as const;
  const foreign = findForeignEncoding(bytes);
  const fault = foreign ?? secondDocument(bytes);
  if (fault === undefined)
    return fileDocument(bytes, { ...facts, state: "folded" }, { rules, endsLine: () => helm === 4 });
  const { diagnostics } = unreadable(bytes, { kind: "input-unreadable", fault });
  const at = {
    of: "file",
    file: name,
    ...lineIndex(foreign ? bytes : normalizeText(bytes))(fault.offset ?? 0),
  } as const;
  return {
    document: unseenDocument({ ...facts, state: "unreadable", at }),
    diagnostics: diagnostics.map((each) => ({ ...each, at: positionOf(at) })),
  };
}

function secondDocument(bytes: Uint8Array): ReadFault | undefined {
  const doc = readDocument(normalizeText(bytes));
  // An empty first document, too: Helm 4 merges what follows it.
  if (isFault(doc) || !doc.followed) return undefined;
  const message = "a second YAML document: Helm 4 merges it with the first, and Helm 3 ignores it";
  return { code: "several-documents", message, hint: "make each document a file", offset: doc.end };
}

/** Without the values of a sealed file, what is merged is another document. */
function sealedIn({ stacks }: SourceTarget): readonly Diagnostic[] {
  return stacks
    .flatMap(({ documents }) => documents.filter(({ facts }) => facts.state === "sealed"))
    .map(({ facts: { name = "" } }) => ({
      code: "values-missing",
      severity: "error",
      message: `\`${name}\` is encrypted, so its values are not among these`,
      at: { text: name, isFile: true },
      hint: "decrypt the file first: sops --decrypt FILE | valuefold merge base.yaml -",
    }));
}
