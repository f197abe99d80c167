// The door of the engine: the code of kustomize, Helm, Flux and Go's templates, which reaches nothing but the files of a request.
export { ask, type EngineCut, useEngine, whyNotNative } from "./ask.ts";
export type { EngineAnswer, EngineRequest } from "./frame.ts";
export { renderTemplates, type Rendered, type TemplateBatch, type TemplateFault } from "./go-templates.ts";
export { type TemplateLines, TemplateMarks, type Unmarked } from "./template-text.ts";
