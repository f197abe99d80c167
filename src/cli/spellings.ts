// What a command line may also say: `-o` with the name of a file, and flags of earlier versions. Each becomes a flag of today, so
// that commands read one spelling.
import type { parseArgs } from "node:util";
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { UsageError } from "../sources/index.ts";
import { allFlagsOf, type Command, flagsOf } from "./flags.ts";

export type ParsedValues = ReturnType<typeof parseArgs>["values"];

/** Flags of today, and what is reported of their spelling. */
export interface SpelledNow {
  readonly values: ParsedValues;
  readonly notes: readonly Diagnostic[];
}

/** @throws UsageError where the flags name several forms or files */
export function spelledNow(command: Command, given: ParsedValues): SpelledNow {
  const { json, annotate, html, output, "output-file": named, ...others } = given;
  const forms = flagsOf(command).find(({ name }) => name === "output")?.oneOf ?? [];
  const isFile = typeof output === "string" && !forms.includes(output) && /[./]|^-$/.test(output);
  const format = isEarlier(command, "format") ? others["format"] : undefined;
  if (format !== undefined) delete others["format"];
  const form = onlyOf("form", [
    isFile ? undefined : output,
    json === true ? "json" : undefined,
    annotate === true ? "yaml" : undefined,
    html === undefined ? undefined : "html",
    format,
  ]);
  const file = onlyOf("file", [named, isFile ? output : undefined, html]);
  if (form !== undefined && !forms.includes(form)) throw wrongForm(command, form, forms);
  return {
    values: { ...others, ...(form !== undefined && { output: form }), ...(file && { "output-file": file }) },
    notes: isFile && output !== "-" ? [fileNote(output)] : [],
  };
}

function isEarlier(command: Command, flag: string): boolean {
  return allFlagsOf(command).some(({ name, isEarlier: is }) => name === flag && is === true);
}

function onlyOf(what: string, given: readonly ParsedValues[string][]): string | undefined {
  const [only, other] = [...new Set(given)].filter((each) => each !== undefined).map(String);
  if (other !== undefined)
    throw new UsageError(`expected one ${what} of the output, got \`${only}\` and \`${other}\``);
  return only;
}

function wrongForm(command: Command, form: string, forms: readonly string[]): UsageError {
  const likely = forms.filter((each) => each[0] === form[0]);
  const near = shortFor(form, likely) ?? nearest(form, likely, 2);
  const hint = near === undefined ? `to write a file: --output-file ${form}` : `did you mean \`-o ${near}\`?`;
  if (forms.length === 0) return new UsageError(`\`-o\`: the output of \`${command}\` has one form`, hint);
  return new UsageError(`\`-o\`: expected ${forms.join(", ")}, got \`${form}\``, hint);
}

/** `md` and `yml`: the letters of a form, in their order. */
function shortFor(form: string, forms: readonly string[]): string | undefined {
  if (!/^\w{2,}$/.test(form)) return undefined;
  const letters = new RegExp(`^${form.split("").join(".*")}`);
  return forms.find((each) => letters.test(each));
}

function fileNote(file: string): Diagnostic {
  const message = `\`-o ${file}\` names a file: the next release takes \`-o\` for a form only`;
  return { code: "usage", severity: "warning", message, hint: `write --output-file ${file}` };
}
