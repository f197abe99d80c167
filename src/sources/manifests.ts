// A directory without a kustomization → the manifests in it. What is passed over, and what cannot be read, is named.
import { join, relative } from "node:path";
import { decodeStream } from "../krm/index.ts";
import { isFault, Node, readDocument } from "../yaml/index.ts";
import { unreadable } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { contentsOf } from "../explain/index.ts";
import { isFleet } from "./helm/fleet.ts";
import { isManifest } from "./names.ts";
import { kustomizationFile } from "./kustomize/tree.ts";
import { type StreamPart, type StreamParts, rendersIn } from "./local-renders.ts";
import { listed, notBuilt, passedOver } from "./not-built.ts";
import { entriesIn, readFile } from "./disk.ts";
import { isIn } from "./tree.ts";

/**
 * All manifests in a directory and below; values files, if it has no manifests.
 *
 * @param from where names start
 * @param isLeftOut true for what is not read: directories that change what something else makes, and what is ignored
 */
export function manifestParts(
  directory: string,
  from: string,
  isLeftOut: ManifestScan["isLeftOut"] = () => false,
): StreamParts {
  const scan: ManifestScan = { files: [], charts: [], kustomizations: [], isLeftOut };
  scanInto(scan, directory);
  const all = scan.files.map((path) => ({ name: relative(from, path), path, bytes: readFile(path) }));
  const manifests = all.filter(({ bytes }) => isReadable(bytes) && contentsOf(bytes) === "manifests");
  // A playbook, or a file of a CI system, is neither.
  if (manifests.length === 0)
    return { parts: all.filter(({ bytes }) => !isList(bytes)), unbuilt: notesOn(scan, [], from) };
  const layers = manifests.flatMap(rendersIn).map((render) => render.directory);
  const rest = all.filter(
    (part) => !manifests.includes(part) && !layers.some((each) => isIn(part.path, each)),
  );
  const values = rest.filter(({ bytes }) => contentsOf(bytes) === "values").map(({ name }) => name);
  const faults = rest.flatMap((part) => faultOf(part) ?? []);
  return { parts: manifests, unbuilt: [...notesOn(scan, values, from), ...faults] };
}

/** True for a directory with more than values files. */
export function hasManifests(directory: string, from: string): boolean {
  return manifestParts(directory, from).parts.some(({ bytes }) => contentsOf(bytes) === "manifests");
}

/** The directories with a kustomization in a directory and below, sorted. */
export function kustomizationsIn(directory: string, isLeftOut: ManifestScan["isLeftOut"]): readonly string[] {
  const scan: ManifestScan = { files: [], charts: [], kustomizations: [], isLeftOut };
  scanInto(scan, directory);
  return scan.kustomizations;
}

/** What is passed over on purpose. */
function notesOn(
  { charts, kustomizations }: ManifestScan,
  values: readonly string[],
  from: string,
): Diagnostic[] {
  const namesOf = (paths: readonly string[]): string[] => paths.map((path) => relative(from, path) || ".");
  const notes: Diagnostic[] = [];
  if (charts.length > 0)
    notes.push(passedOver(`passed over the templates of ${listed(namesOf(charts), "chart")}`));
  if (values.length > 0)
    notes.push(passedOver(`passed over ${listed(values, "file")}: without \`apiVersion\` and \`kind\``));
  if (kustomizations.length > 0) {
    const names = listed(namesOf(kustomizations), "kustomization");
    notes.push(passedOver(`did not build ${names}`, "name one to build it"));
  }
  return notes;
}

function isList(bytes: Uint8Array): boolean {
  const doc = readDocument(bytes);
  return !isFault(doc) && new Node(doc).isSequence;
}

function isReadable(bytes: Uint8Array): boolean {
  return "items" in decodeStream(bytes);
}

interface ManifestScan {
  readonly files: string[];
  readonly charts: string[];
  /** Directories that have one. Their other files are read as plain manifests. */
  readonly kustomizations: string[];
  readonly isLeftOut: (path: string) => boolean;
}

/** Sorted by name, without hidden ones. */
function scanInto(scan: ManifestScan, directory: string): void {
  const entries = entriesIn(directory).filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
  const isChart = entries.some(({ name }) => name === "Chart.yaml");
  if (isChart) scan.charts.push(directory);
  const kustomization = kustomizationFile(directory);
  if (kustomization !== undefined && !scan.isLeftOut(directory)) scan.kustomizations.push(directory);
  for (const entry of entries.filter(({ name }) => !isChart || !isOfChart(name))) {
    const path = join(directory, entry.name);
    if (scan.isLeftOut(path)) continue;
    if (entry.kind === "directory") scanInto(scan, path);
    else if (isManifest(entry.name) && entry.name !== kustomization && !isFleet(path)) scan.files.push(path);
  }
}

/** What Helm reads of a chart: its templates are no YAML, and its values are those of no layer. */
function isOfChart(name: string): boolean {
  return name === "templates" || /^(?:Chart|values.*|requirements)\.(?:ya?ml|json)$/.test(name);
}

function faultOf({ name, bytes }: Required<StreamPart>): Diagnostic | undefined {
  const envelope = decodeStream(bytes);
  if ("items" in envelope || envelope.kind === "not-a-resource-list") return undefined;
  const [fault] = unreadable(bytes, envelope, [{ name, start: 0 }]).diagnostics;
  const { line, column } = fault?.at?.source ?? {};
  const at = { text: name, isFile: true, ...(line && { line }), ...(column && { column }) } as const;
  return notBuilt({ message: `a file is left out: ${fault?.message ?? ""}`, at, hint: fault?.hint ?? "" });
}
