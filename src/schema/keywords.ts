// The keywords of JSON Schema, in the order in which they are judged.
import type { Argument, Keyword } from "./argument.ts";
import { choiceKeywords } from "./choices.ts";
import { Kind } from "./kinds.ts";
import { listKeywords } from "./lists.ts";
import { mappingKeywords } from "./mappings.ts";
import { scalarKeywords } from "./scalars.ts";
import type { SchemaDraft } from "./schema.ts";
import { Verdict } from "./verdict.ts";

/** Schemas that apply only by reference. */
function readDefinitions(given: Argument): undefined {
  for (const [, each] of given.entries()) each.subschema();
}

const reference: Keyword = {
  read: (given) => {
    given.refer();
    return {
      judge: ({ referred }, instance, judging) =>
        referred === undefined ? Verdict.undecided : judging.judge(referred, instance),
    };
  },
};

/** These depend on the schemas around theirs, and few schemas use them: they are read, and not judged. */
function unjudged(keyword: string, isIdle: (given: Argument) => boolean): Keyword["read"] {
  return (given) => {
    if (isIdle(given)) return undefined;
    return {
      judge: (schema, { kind }, judging) => {
        if (kind !== Kind.any) judging.leave(schema, keyword);
        return Verdict.undecided;
      },
    };
  };
}

const isNoText = (given: Argument): boolean => given.text() === undefined;
const isTrue = (given: Argument): boolean => given.subschema().always === true;

const keywords: ReadonlyMap<string, Keyword> = new Map([
  ["$defs", { read: readDefinitions }],
  ["definitions", { read: readDefinitions }],
  ["title", { read: (given: Argument) => void (given.schema.title = given.text()) }],
  ["description", { read: (given: Argument) => void (given.schema.description = given.text()) }],
  ...Object.entries(scalarKeywords),
  ["$ref", reference],
  ...choiceKeywords,
  ...Object.entries(listKeywords),
  ...Object.entries(mappingKeywords),
  ["$recursiveRef", { from: 2019, to: 2019, read: unjudged("$recursiveRef", isNoText) }],
  ["$dynamicRef", { from: 2020, read: unjudged("$dynamicRef", isNoText) }],
  [
    "unevaluatedProperties",
    { from: 2019, kinds: Kind.object, read: unjudged("unevaluatedProperties", isTrue) },
  ],
  ["unevaluatedItems", { from: 2019, kinds: Kind.array, read: unjudged("unevaluatedItems", isTrue) }],
]);

/** The place of each keyword among them. */
export const rankOf: ReadonlyMap<string, number> = new Map(
  [...keywords.keys()].map((keyword, rank) => [keyword, rank]),
);

/** Undefined if the draft does not have the keyword. */
export function keywordOf(name: string, draft: SchemaDraft): Keyword | undefined {
  const keyword = keywords.get(name);
  if (keyword === undefined || draft < (keyword.from ?? 4) || draft > (keyword.to ?? 2020)) return undefined;
  return keyword;
}
