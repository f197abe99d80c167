// How each pipeline runs the function, and what is left of it for the next round.
import { Document, visit } from "yaml";
import { type Folded, foldText } from "../support/fold.ts";
import type { Pipeline } from "./choices.ts";
import { asItem, functionConfig, inOrder, itemTexts, kptFiles, kptInput } from "./kpt.ts";
import { type File, idOf, type KubeObject, objectOf, type Repository } from "./repository.ts";

export interface Rendered {
  readonly input: string;
  readonly folded: Folded;
  /** What the output holds, in the order in which it is read again. */
  readonly files: readonly File[];
}

export function render(repository: Repository, pipeline: Pipeline): Rendered {
  if (pipeline === "plain") return renderStream(repository);
  const input = pipeline === "kpt" ? kptInput(repository) : kustomizeInput(repository);
  const folded = foldText(input);
  if (folded.exitCode !== 0) return { input, folded, files: [] };
  const files =
    pipeline === "kpt"
      ? inOrder(kptFiles(folded.output, repository.files))
      : kustomizeFiles(folded.output, repository);
  return { input, folded, files };
}

function renderStream({ files, settings }: Repository): Rendered {
  const input = inOrder(files)
    .map(({ text }) => text)
    .join("---\n");
  const folded = foldText(input, streamConfig(settings));
  return { input, folded, files: folded.exitCode === 0 ? streamFiles(folded.output) : [] };
}

export function streamConfig(settings: Repository["settings"]): string {
  return functionConfig(settings).replace("functionConfig:\n", "").replaceAll(/^ {2}/gm, "");
}

function streamFiles(output: string): File[] {
  return output.split(/^---\n/m).map((text, at) => ({ path: String(at).padStart(4, "0"), text }));
}

/** As kustomize sends a list: keys sorted, no comments, its own annotations. */
function kustomizeInput({ files, settings }: Repository): string {
  const items = files.map((file, at) => asItem(written(withNotes(objectOf(file), at))));
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}${functionConfig(settings)}`;
}

function withNotes(object: KubeObject, at: number): KubeObject {
  const { kind, metadata } = object;
  const { name, namespace } = metadata;
  const home = namespace === undefined ? "" : `namespace: ${namespace}\n`;
  const annotations = {
    ...metadata.annotations,
    "config.kubernetes.io/index": "0",
    "internal.config.kubernetes.io/index": "0",
    "internal.config.kubernetes.io/annotations-migration-resource-id": String(at),
    "internal.config.kubernetes.io/id": String(at + 1),
    "config.k8s.io/id": String(at + 1),
    "kustomize.config.k8s.io/id": `kind: ${kind}\nname: ${name}\n${home}version: v1\n`,
  };
  return { ...object, metadata: { ...metadata, annotations } };
}

function written(value: unknown): string {
  const document = new Document(value, { sortMapEntries: true });
  // kustomize quotes a text of nothing but space; the library writes a literal that reads otherwise.
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && /^\s+$/.test(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ indentSeq: false, lineWidth: 0, doubleQuotedMinMultiLineLength: 1_000_000 });
}

const kustomizeNotes =
  /^(?:internal\.config\.kubernetes\.io\/|config\.k8s\.io\/|kustomize\.config\.k8s\.io\/|config\.kubernetes\.io\/(?:index|path)$)/;

/** Items that were there keep their places, new ones go last. */
function kustomizeFiles(output: string, { files }: Repository): File[] {
  const places = new Map(files.map((file, at) => [idOf(objectOf(file)), { at, path: file.path }]));
  const placed = itemTexts(output).map((text, at) => {
    const object = objectOf({ text });
    const { at: place = files.length + at, path = `zy-${object.metadata.name}-${at}` } =
      places.get(idOf(object)) ?? {};
    return { place, file: { path, text: written(bare(object)) } };
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ file }) => file);
}

function bare(object: KubeObject): KubeObject {
  const kept = Object.entries(object.metadata.annotations ?? {}).filter(([key]) => !kustomizeNotes.test(key));
  const { annotations, ...metadata } = object.metadata;
  const none = annotations === undefined || kept.length === 0;
  return { ...object, metadata: none ? metadata : { ...metadata, annotations: Object.fromEntries(kept) } };
}
