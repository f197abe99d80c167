/** One batch: every template of a render at once, so that the engine is loaded once. */
export interface TemplateBatch {
  /** Texts that `include` finds, by the name a template calls them. */
  readonly includes: ReadonlyMap<string, string>;
  readonly templates: readonly Template[];
}
export interface Template {
  /** Where it lies, for messages. */
  readonly file: string;
  readonly text: string;
  /** What `.` is: JSON text of an object. Numbers become float64, as konfigure's do. */
  readonly values: string;
}
export type Rendered = { readonly text: string } | { readonly fault: TemplateFault };
/** Never holds a value: `what` is one of our own clauses; `name` is a key, function or include that the template spells out itself. */
export interface TemplateFault {
  readonly what:
    | "parse"
    | "missing-key"
    | "function"
    | "impure"
    | "include"
    | "type"
    | "too-long"
    | "too-large"
    | "failed";
  readonly file: string; // the template or the include
  readonly line?: number; // 1-based
  readonly column?: number;
  readonly name?: string;
}
/** Loaded by the edge only when a template holds `{{`. One result for each template, in order. */
export type RenderTemplates = (batch: TemplateBatch) => Promise<readonly Rendered[]>;
