// Templates with their values → the text of every layer. All templates of a render are one batch; a file without `{{` is
// its own text, and no engine reads it.
import type { Diagnostic } from "../diagnostic.ts";
import type { Report } from "../core/index.ts";
import type { Reader, Source } from "./document.ts";
import { Marks, type Unmarked } from "./template-text.ts";
import { type Includes, loadIncludes } from "./includes.ts";
import { partKinds } from "./instances.ts";
import { fileOf, type Loaded, type LoadedFile } from "./load.ts";
import { MergedValues, valuesFor } from "./merged-values.ts";
import { askTemplates, type Rendered, type RenderSteps, type TemplateFault } from "./need.ts";
import type { LayerOf, PartKind } from "./schema.ts";
import { errorAt, inInstance, type InstancePlace, warningAt } from "./faults.ts";

/** A layer's text of one kind, of one instance. */
export interface LayerText {
  readonly loaded: Loaded;
  readonly layer: LayerOf;
  readonly kind: PartKind;
  readonly source: Source;
}

interface LayerDraft extends Omit<LayerText, "source"> {
  readonly file: LoadedFile;
  /** Absent for a text without actions. */
  readonly template: { readonly text: string; readonly values: string } | undefined;
}

export interface RenderedTexts {
  readonly texts: readonly LayerText[];
  readonly failed: ReadonlySet<Loaded>;
  /** What templates may include, by function and name. */
  readonly included: Includes["texts"];
}

/** The texts of all layers. Instances with a fault are in `failed`, and the report has the fault. */
export function* renderTexts(
  all: readonly Loaded[],
  reader: Reader,
  report: Report,
): RenderSteps<RenderedTexts> {
  const failed = new Set(all.filter(({ hasFailed }) => hasFailed));
  const values = new MergedValues(reader);
  const drafts = all
    .filter((each) => !failed.has(each))
    .flatMap((each) => draftsOf(each, values, report, failed));
  if (failed.size === 0) reportIdle(all, drafts, report);
  const templated = drafts.filter(({ template, loaded }) => template !== undefined && !failed.has(loaded));
  const { texts, included } = yield* rendered(templated, report);
  const sources = drafts.flatMap((draft): LayerText[] => {
    const { template, file, ...rest } = draft;
    const { path, bytes } = file;
    if (template === undefined) return [{ ...rest, source: { path, bytes, isRendered: false } }];
    const result = texts.get(draft);
    if (result !== undefined && "text" in result) {
      const { text, lines } = result;
      return [{ ...rest, source: { path, bytes: Buffer.from(text, "utf8"), isRendered: true, lines } }];
    }
    if (result !== undefined) report.report(faultOf(result.fault, draft));
    failed.add(draft.loaded);
    return [];
  });
  return { texts: sources, failed, included };
}

type Finished = Unmarked | { readonly fault: TemplateFault };

function* rendered(
  drafts: readonly LayerDraft[],
  report: Report,
): RenderSteps<{ readonly texts: ReadonlyMap<LayerDraft, Finished>; readonly included: Includes["texts"] }> {
  const [first] = drafts;
  if (first === undefined) return { texts: new Map(), included: new Map() };
  const own = drafts.flatMap(({ template }) => (template === undefined ? [] : [template]));
  const includes = yield* loadIncludes(
    first.loaded.instance,
    own.map(({ text }) => text),
  );
  report.all(includes.faults);
  if (includes.faults.length > 0) return { texts: new Map(), included: includes.texts };
  const included = [...includes.texts.values()].flatMap((texts) => [...texts.values()]);
  const marks = new Marks(new Set([...included, ...own.flatMap(({ text, values }) => [text, values])]));
  const templates = drafts.map(({ file, template }) => {
    const { text = "", values = "{}" } = template ?? {};
    return { file: file.path, text: marks.marked(text), values };
  });
  const results = yield* askTemplates({
    includes: includes.texts.get("include") ?? new Map(),
    functions: includes.texts,
    templates,
  });
  if (results.some((result, index) => isShort(result, drafts[index]))) report.all(includes.passed);
  const texts = drafts.map((draft, index) => {
    const result = results[index] ?? noAnswer(draft);
    return [draft, finished(result, draft, { marks, paths: includes.paths })] as const;
  });
  return { texts: new Map(texts), included: includes.texts };
}

/** True if a template lacks an include. What a sealed one includes is not shown. */
function isShort(result: Rendered, draft: LayerDraft | undefined): boolean {
  return "fault" in result && result.fault.what === "include" && draft?.file.sealedFor === undefined;
}

function finished(
  result: Rendered,
  draft: LayerDraft,
  { marks, paths }: { readonly marks: Marks; readonly paths: ReadonlyMap<string, string> },
): Finished {
  if ("text" in result) return marks.unmarked(result.text);
  const { fault } = result;
  if (fault.file === draft.file.path) return { fault: marks.placed(fault, draft.template?.text ?? "") };
  return { fault: ofInclude(fault, draft, paths) };
}

/** The engine calls an include by its name: a message shows its file, or the sealed template that names it. */
function ofInclude(
  fault: TemplateFault,
  { file }: LayerDraft,
  paths: ReadonlyMap<string, string>,
): TemplateFault {
  if (file.sealedFor !== undefined) return { what: fault.what, file: file.path };
  return { ...fault, file: paths.get(fault.file) ?? fault.file };
}

function noAnswer({ file }: LayerDraft): Rendered {
  return { fault: { what: "failed", file: file.path } };
}

function draftsOf(loaded: Loaded, values: MergedValues, report: Report, failed: Set<Loaded>): LayerDraft[] {
  return loaded.instance.schema.layers.flatMap((layer) =>
    partKinds.flatMap((kind): LayerDraft[] => {
      const used = valuesFor(loaded, layer, kind);
      const merged = values.of(used);
      const file = fileOf(loaded, { layer: layer.id, part: "templates", kind });
      const text = file === undefined ? "" : Buffer.from(file.bytes).toString("utf8");
      const isTemplate = text.includes("{{");
      report.all(merged.diagnostics.filter(({ severity }) => severity === "error" || isTemplate));
      if (merged.diagnostics.some(({ severity }) => severity === "error")) failed.add(loaded);
      if (file === undefined) return [];
      const draft = { loaded, layer, kind, file };
      if (!isTemplate) return [{ ...draft, template: undefined }];
      const leak = used.find((each) => each.kind === "secret" && each.bytes.length > 0);
      if (kind === "configMap" && leak !== undefined) {
        report.report(leaks(file, leak));
        failed.add(loaded);
      }
      return [{ ...draft, template: { text, values: merged.json } }];
    }),
  );
}

/** Value files that no template reads: in konfigure they reach nothing, either. */
function reportIdle(all: readonly Loaded[], drafts: readonly LayerDraft[], report: Report): void {
  const templated = drafts.filter(({ template }) => template !== undefined);
  const read = new Set(
    templated.flatMap(({ loaded, layer, kind }) => valuesFor(loaded, layer, kind).map(({ path }) => path)),
  );
  const idleFiles = all
    .flatMap(({ files }) => files)
    .filter(({ part, path, bytes }) => part === "values" && !read.has(path) && bytes.length > 0);
  report.all(idleFiles.map(({ path }) => idle(path)));
}

function faultOf(fault: TemplateFault, { file, loaded, layer }: LayerDraft): Diagnostic {
  return templateFailed(fault, file, inInstance(loaded.instance.name, layer.id));
}

function idle(path: string): Diagnostic {
  return warningAt(
    "idle-values",
    path,
    "no template reads the values of this file, so they reach nothing",
    "name the file under `templates` if it is to be merged as it is",
  );
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
  parse: ["the template is not a Go template", "correct it at this place"],
  "missing-key": [
    "the template uses a key that no values hold",
    "set it in a values file, or ask with `hasKey`",
  ],
  function: [
    "the template calls a function that does not exist",
    "the functions are those of Go and of sprig",
  ],
  impure: [
    "the template calls a function that gives another result each time, or on another machine",
    "set its result as a value",
  ],
  include: [
    "the template includes a text that does not exist",
    "add the file to the folder that the schema names",
  ],
  type: [
    "the template uses a value as another kind than it has",
    "look at the kind of the value: all numbers are floats",
  ],
  "too-long": ["the template does not end", "look for a loop in it"],
  "too-large": ["the template makes too much text", "look for a loop in it"],
  failed: ["the template cannot be rendered", "look at the functions that it calls"],
};

/** @param instance those of the template */
function templateFailed(fault: TemplateFault, file: LoadedFile, instance: InstancePlace): Diagnostic {
  const { what, line, column, name } = fault;
  const [message, hint] = meanings[what];
  // A name in a sealed template is sealed, too.
  const named = name === undefined || file.sealedFor !== undefined ? "" : `: \`${name}\``;
  const place = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
  return errorAt("template-failed", { text: fault.file, ...place, ...instance }, `${message}${named}`, hint);
}
