// Templates with their values → the text of every layer. All templates of a render are one batch; what holds no `{{` is
// its own text and is never asked about.
import type { Diagnostic } from "../diagnostic.ts";
import type { Report } from "../report/report.ts";
import type { Tree } from "../merge/tree.ts";
import { Reader, type Source } from "./document.ts";
import { type Included, includesIn } from "./include-calls.ts";
import { loadIncludes } from "./includes.ts";
import { partKinds } from "./instances.ts";
import { jsonOf } from "./json-values.ts";
import type { Files, Loaded, LoadedFile } from "./load.ts";
import { valuesFor, type ValuesOf } from "./merge-strategy.ts";
import { askTemplates, type RenderSteps } from "./need.ts";
import type { LayerOf, PartKind, Schema } from "./schema.ts";
import { stacked } from "./stacking.ts";
import type { Rendered, TemplateFault } from "./template-need.ts";

/** A layer's text of one kind, and whose it is. */
export interface LayerText {
  readonly loaded: Loaded;
  readonly layer: LayerOf;
  readonly kind: PartKind;
  readonly source: Source;
}

interface Draft extends Omit<LayerText, "source"> {
  readonly file: LoadedFile;
  /** Absent where the text stands for itself. */
  readonly template:
    | { readonly text: string; readonly included: Included; readonly values: string }
    | undefined;
}

/** The texts of all layers; whoever's failed is told, and among `failed`. */
export function* renderTexts(
  all: readonly Loaded[],
  reader: Reader,
  report: Report,
): RenderSteps<{ readonly texts: readonly LayerText[]; readonly failed: ReadonlySet<Loaded> }> {
  const failed = new Set(all.filter(({ hasFailed }) => hasFailed));
  const values = new MergedValues(reader);
  const drafts = all
    .filter((each) => !failed.has(each))
    .flatMap((each) => draftsOf(each, values, report, failed));
  if (failed.size === 0) tellIdle(all, drafts, report);
  const templated = drafts.filter(({ template, loaded }) => template !== undefined && !failed.has(loaded));
  const texts = yield* rendered(templated, report);
  const sources = drafts.flatMap((draft): LayerText[] => {
    const { template, file, ...rest } = draft;
    const { path, bytes } = file;
    if (template === undefined) return [{ ...rest, source: { path, bytes, isRendered: false } }];
    const result = texts.get(draft);
    if (result !== undefined && "text" in result)
      return [{ ...rest, source: { path, bytes: Buffer.from(result.text, "utf8"), isRendered: true } }];
    if (result !== undefined) report.report(templateFailed(result.fault, draft));
    failed.add(draft.loaded);
    return [];
  });
  return { texts: sources, failed };
}

function* rendered(drafts: readonly Draft[], report: Report): RenderSteps<ReadonlyMap<Draft, Rendered>> {
  const [first] = drafts;
  if (first === undefined) return new Map();
  const { instance } = first.loaded;
  const called = drafts.flatMap(({ template }) => (template === undefined ? [] : [template.included]));
  const includes = yield* loadIncludes(instance, called);
  report.all(includes.faults);
  if (includes.faults.length > 0) return new Map();
  const templates = drafts.map(({ file, template }) => ({
    file: file.path,
    text: template?.text ?? "",
    values: template?.values ?? "{}",
  }));
  const results = yield* askTemplates({
    includes: includes.texts.get("include") ?? new Map(),
    functions: includes.texts,
    templates,
  });
  return new Map(drafts.map((draft, index) => [draft, results[index] ?? noAnswer(draft)]));
}

function noAnswer({ file }: Draft): Rendered {
  return { fault: { what: "failed", file: file.path } };
}

function draftsOf(loaded: Loaded, values: MergedValues, report: Report, failed: Set<Loaded>): Draft[] {
  const { schema } = loaded.instance;
  const functions = new Set(schema.includes.map((include) => include.function.name));
  return schema.layers.flatMap((layer) =>
    partKinds.flatMap((kind): Draft[] => {
      const merged = values.of(loaded.files, schema, layer, kind);
      const file = fileOf(loaded.files, layer.id, "templates", kind);
      const text = file === undefined ? "" : Buffer.from(file.bytes).toString("utf8");
      const isTemplate = text.includes("{{");
      report.all(merged.diagnostics.filter(({ severity }) => severity === "error" || isTemplate));
      if (merged.diagnostics.some(({ severity }) => severity === "error")) failed.add(loaded);
      if (file === undefined) return [];
      const draft = { loaded, layer, kind, file };
      if (!isTemplate) return [{ ...draft, template: undefined }];
      const leak = kind === "configMap" ? merged.files.find((each) => each.kind === "secret") : undefined;
      if (leak !== undefined) {
        report.report(leaks(file, leak.file));
        failed.add(loaded);
      }
      return [{ ...draft, template: { text, included: includesIn(text, functions), values: merged.json } }];
    }),
  );
}

interface Merged {
  readonly json: string;
  readonly diagnostics: readonly Diagnostic[];
  /** What was merged, less what holds nothing. */
  readonly files: readonly { readonly kind: PartKind; readonly file: LoadedFile }[];
}

/** The values of templates: apps of one installation share them, so each merge is made once. */
class MergedValues {
  private readonly known = new Map<string, Merged>();
  private readonly numbers = new Map<Uint8Array, number>();
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  of(files: Files, schema: Schema, layer: LayerOf, kind: PartKind): Merged {
    const used = filesFor(files, valuesFor(schema, layer, kind));
    const key = used.map(({ file }) => this.numberOf(file.bytes)).join(",");
    let merged = this.known.get(key);
    if (merged === undefined) this.known.set(key, (merged = this.merge(used)));
    return merged;
  }

  private merge(used: Merged["files"]): Merged {
    const diagnostics: Diagnostic[] = [];
    let tree: Tree | undefined;
    for (const { file } of used) {
      const next = stacked(tree, { path: file.path, bytes: file.bytes, isRendered: false }, this.reader);
      diagnostics.push(...next.diagnostics);
      ({ tree } = next);
    }
    const last = used.at(-1)?.file.path ?? "";
    const { text, diagnostics: more } = jsonOf(tree, used.length > 1 ? `values up to ${last}` : last);
    const held = used.filter(({ file }) => file.bytes.length > 0);
    return { json: text, diagnostics: [...diagnostics, ...more], files: held };
  }

  private numberOf(bytes: Uint8Array): number {
    let number = this.numbers.get(bytes);
    if (number === undefined) this.numbers.set(bytes, (number = this.numbers.size));
    return number;
  }
}

function filesFor(files: Files, wanted: readonly ValuesOf[]): Merged["files"] {
  return wanted.flatMap(({ layer, kind }) => {
    const file = fileOf(files, layer, "values", kind);
    return file === undefined ? [] : [{ kind, file }];
  });
}

export function fileOf(
  files: Files,
  layer: string,
  part: "values" | "templates" | "patches",
  kind: PartKind,
): LoadedFile | undefined {
  for (const [slot, file] of files)
    if (slot.layer.id === layer && slot.part === part && slot.kind === kind) return file;
  return undefined;
}

/** Value files that no template reads: in konfigure they reach nothing, either. */
function tellIdle(all: readonly Loaded[], drafts: readonly Draft[], report: Report): void {
  const read = new Set<string>();
  for (const { loaded, layer, kind, template } of drafts)
    if (template !== undefined)
      for (const { file } of filesFor(loaded.files, valuesFor(loaded.instance.schema, layer, kind)))
        read.add(file.path);
  for (const { files } of all)
    for (const [{ part }, { path, bytes }] of files)
      if (part === "values" && !read.has(path) && bytes.length > 0) report.report(idle(path));
}

function idle(path: string): Diagnostic {
  return {
    code: "idle-values",
    severity: "warning",
    message: "no template reads the values of this file, so they reach nothing",
    at: { text: path },
    hint: "name the file under `templates` if it is to be merged as it is",
  };
}

function leaks(template: LoadedFile, values: LoadedFile): Diagnostic {
  return {
    code: "secret-into-configmap",
    severity: "error",
    message: "a template of a ConfigMap reads values of a Secret",
    at: { text: template.path },
    also: [{ text: values.path }],
    hint: "let it read `ConfigMapsInLayerOrder`, or move the template to the `secret` side",
  };
}

const meanings: { readonly [what in TemplateFault["what"]]: readonly [message: string, hint: string] } = {
  parse: ["the template is no Go template", "correct it at this place"],
  "missing-key": [
    "the template uses a key that no values hold",
    "set it in a values file, or ask with `hasKey`",
  ],
  function: ["the template calls a function that there is not", "the functions are those of Go and of sprig"],
  impure: [
    "the template calls a function whose result is another each time, or another elsewhere",
    "set what it tells as a value",
  ],
  include: ["the template includes what there is not", "add the file to the folder that the schema names"],
  type: [
    "the template uses a value as what it is not",
    "look at the kind of the value: all numbers are floats",
  ],
  "too-long": ["the template does not end", "look for a loop in it"],
  "too-large": ["the template makes too much text", "look for a loop in it"],
  failed: ["the template cannot be rendered", "look at the functions that it calls"],
};

function templateFailed(fault: TemplateFault, { file, loaded, layer }: Draft): Diagnostic {
  const { what, line, column, name } = fault;
  const [message, hint] = meanings[what];
  // What a sealed template spells out is sealed, too.
  const named = name === undefined || file.sealedFor !== undefined ? "" : `: \`${name}\``;
  const place = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
  return {
    code: "template-failed",
    severity: "error",
    message: `${message}${named}`,
    at: { text: fault.file, ...place, role: `instance ${loaded.instance.name}, layer ${layer.id}` },
    hint,
  };
}
