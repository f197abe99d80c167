// What schemas say about a path, for `explain`: type, whether it is required, and a description. Follows references
// and `allOf`. Omits what applies only under a condition (`if`, `anyOf`, …).
import type { Context } from "../core/index.ts";
import type { Item } from "../krm/index.ts";
import type { JudgedStack, JudgedTarget } from "../layers/index.ts";
import type { ExplainedSchema } from "../explanation.ts";
import { appliesIn, appliesTo, schemasOf } from "./rules.ts";
import type { Schema } from "./schema.ts";

export type Notes = (path: readonly string[]) => readonly ExplainedSchema[];

/** Longer descriptions are cut, to fit on a line. */
const longest = 80;
/** Schemas of one path that references lead to. */
const mostSchemas = 64;

/** @param stack of the target that is explained */
export function notesFor(
  stack: Pick<JudgedTarget, "target"> & Pick<JudgedStack, "into">,
  items: readonly Item[],
  context: Context,
): Notes {
  const applied = schemasOf(items, context).applied.filter(
    (each) => appliesTo(each, stack.target) && appliesIn(each, stack),
  );
  return (path) =>
    applied.flatMap(({ schema }) => {
      if (schema === undefined) return [];
      const note = noteAt(schema, path);
      return note === undefined ? [] : [{ from: schema.resource.source.position.text, ...note }];
    });
}

function noteAt(root: Schema, path: readonly string[]): Omit<ExplainedSchema, "from"> | undefined {
  let [at, above]: [readonly Schema[], readonly Schema[]] = [withReferred([root]), []];
  for (const key of path) {
    above = at;
    at = withReferred(at.flatMap((schema) => schemasUnder(schema, key)));
  }
  const key = path.at(-1);
  const isRequired = key !== undefined && above.some(({ required }) => required.includes(key));
  const type = [...new Set(at.flatMap(({ typeNames }) => typeNames))].join(" or ");
  const description = at.map((schema) => firstLine(schema)).find((text) => text !== "");
  if (type === "" && !isRequired && description === undefined) return undefined;
  return {
    ...(type === "" ? {} : { type }),
    ...(isRequired ? { required: true as const } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

/** Schemas, and those that always apply with them. */
function withReferred(schemas: readonly Schema[]): readonly Schema[] {
  const all = new Set(schemas);
  for (const schema of all) {
    if (all.size > mostSchemas) break;
    if (schema.referred !== undefined) all.add(schema.referred);
    for (const each of schema.allOf) all.add(each);
  }
  return [...all];
}

function schemasUnder(
  { properties, patternProperties = [], additionalProperties }: Schema,
  key: string,
): readonly Schema[] {
  const named = properties?.get(key);
  const fitting = patternProperties.flatMap(({ pattern, schema }) =>
    pattern.test(key) === true ? [schema] : [],
  );
  const own = named === undefined ? fitting : [named, ...fitting];
  return own.length > 0 || additionalProperties === undefined ? own : [additionalProperties];
}

function firstLine({ description, title }: Schema): string {
  const [line = ""] = (description ?? title ?? "").trim().split(/\r?\n/);
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
}
