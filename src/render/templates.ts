// Templates with their values → the text of every layer. All templates of a render are one batch; a file without `{{` is
// its own text, and no engine reads it.
import type { Diagnostic } from "../diagnostic.ts";
import type { Report } from "../report/index.ts";
import type { Reader, TextFile } from "./document.ts";
import { type Rendered, type TemplateFault, TemplateMarks, type Unmarked } from "../engine/index.ts";
import { type Includes, loadIncludes } from "./includes.ts";
import { partKinds } from "./instances.ts";
import { fileOf, type Loaded, type LoadedFile } from "./load.ts";
import { ComposedValues, valuesFor } from "./merged-values.ts";
import { askTemplates, type RenderSteps } from "./need.ts";
import type { LayerOf, LayerPartKind } from "./schema.ts";
import { errorAt, inInstance, type InstancePlace, warningAt } from "./faults.ts";

/** A file that holds a template, with the values that it reads. */
interface LayerTemplate {
  readonly loaded: Loaded;
  readonly layer: LayerOf;
  readonly kind: LayerPartKind;
  readonly file: LoadedFile;
  readonly text: string;
  /** As JSON. */
  readonly values: string;
}

export interface RenderedTexts {
  /** What became of each file that holds a template. */
  readonly texts: ReadonlyMap<LoadedFile, TextFile>;
  readonly failed: ReadonlySet<Loaded>;
  /** What templates may include, by function and name. */
  readonly included: Includes["texts"];
}

/** Renders all templates. Instances with a fault are in `failed`, and the report has the fault. */
export function* renderTexts(
  all: readonly Loaded[],
  reader: Reader,
  report: Report,
): RenderSteps<RenderedTexts> {
  const failed = new Set(all.filter(({ hasFailed }) => hasFailed));
  const values = new ComposedValues(reader);
  const templates = all
    .filter((each) => !failed.has(each))
    .flatMap((each) => templatesOf(each, values, report, failed));
  if (failed.size === 0) reportIdle(all, templates, report);
  const sound = templates.filter(({ loaded }) => !failed.has(loaded));
  const texts = new Map<LoadedFile, TextFile>();
  const [first] = sound;
  if (first === undefined) return { texts, failed, included: new Map() };
  const includes = yield* loadIncludes(
    first.loaded.instance,
    sound.map(({ text }) => text),
  );
  report.all(includes.faults);
  const finished = includes.faults.length > 0 ? [] : yield* finishedTexts(sound, includes, report);
  for (const [index, { file, loaded, layer }] of sound.entries()) {
    const result = finished[index];
    if (result !== undefined && "text" in result) {
      const bytes = Buffer.from(result.text, "utf8");
      texts.set(file, { path: file.path, bytes, isRendered: true, lines: result.lines });
    } else failed.add(loaded);
    if (result !== undefined && "fault" in result)
      report.report(templateFailed(result.fault, file, inInstance(loaded.instance.name, layer.id)));
  }
  return { texts, failed, included: includes.texts };
}

type Finished = Unmarked | { readonly fault: TemplateFault };

function* finishedTexts(
  templates: readonly LayerTemplate[],
  includes: Includes,
  report: Report,
): RenderSteps<readonly Finished[]> {
  const included = [...includes.texts.values()].flatMap((texts) => [...texts.values()]);
  const marks = new TemplateMarks(
    new Set([...included, ...templates.flatMap(({ text, values }) => [text, values])]),
  );
  const results = yield* askTemplates({
    includes: includes.texts.get("include") ?? new Map(),
    functions: includes.texts,
    templates: templates.map(({ file, text, values }) => ({
      file: file.path,
      text: marks.marked(text),
      values,
    })),
  });
  if (results.some((result, index) => isShort(result, templates[index]))) report.all(includes.passed);
  return templates.map((template, index): Finished => {
    const { path } = template.file;
    const result = results[index] ?? { fault: { what: "failed", file: path } };
    if ("text" in result) return marks.unmarked(result.text);
    const { fault } = result;
    const isOwn = fault.file === path;
    return { fault: isOwn ? marks.placed(fault, template.text) : ofInclude(fault, template, includes) };
  });
}

/** True if a template lacks an include. What a sealed one includes is not shown. */
function isShort(result: Rendered, template: LayerTemplate | undefined): boolean {
  return "fault" in result && result.fault.what === "include" && template?.file.sealedFor === undefined;
}

/** The engine calls an include by its name: a message shows its file, or the sealed template that names it. */
function ofInclude(fault: TemplateFault, { file }: LayerTemplate, { paths }: Includes): TemplateFault {
  if (file.sealedFor !== undefined) return { what: fault.what, file: file.path };
  return { ...fault, file: paths.get(fault.file) ?? fault.file };
}

/** The templates of an instance. Values that do not read are reported even if no template reads them. */
function templatesOf(
  loaded: Loaded,
  values: ComposedValues,
  report: Report,
  failed: Set<Loaded>,
): LayerTemplate[] {
  return loaded.instance.schema.layers.flatMap((layer) =>
    partKinds.flatMap((kind): LayerTemplate[] => {
      const used = valuesFor(loaded, layer, kind);
      const { json, diagnostics } = values.of(used);
      const file = fileOf(loaded, { layer: layer.id, part: "templates", kind });
      const text = file === undefined ? "" : Buffer.from(file.bytes).toString("utf8");
      const isTemplate = text.includes("{{");
      const leak = used.find((each) => each.kind === "secret" && each.bytes.length > 0);
      const leaked =
        isTemplate && kind === "configMap" && file !== undefined && leak !== undefined
          ? [leaks(file, leak)]
          : [];
      const found = [...diagnostics, ...leaked];
      report.all(found.filter(({ severity }) => severity === "error" || isTemplate));
      if (found.some(({ severity }) => severity === "error")) failed.add(loaded);
      return file !== undefined && isTemplate ? [{ loaded, layer, kind, file, text, values: json }] : [];
    }),
  );
}

/** Value files that no template reads: in konfigure they reach nothing, either. */
function reportIdle(all: readonly Loaded[], templates: readonly LayerTemplate[], report: Report): void {
  const read = new Set(
    templates.flatMap(({ loaded, layer, kind }) => valuesFor(loaded, layer, kind).map(({ path }) => path)),
  );
  const idleFiles = all
    .flatMap(({ files }) => files)
    .filter(({ part, path, bytes }) => part === "values" && !read.has(path) && bytes.length > 0);
  report.all(idleFiles.map(({ path }) => idle(path)));
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
    "the template includes a file that does not exist",
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
