// What it takes to look at a value by one schema, beside judging by schemas further down: so that no keyword is for free.
import type { Instance } from "./instance.ts";
import { Kind } from "./kinds.ts";
import type { Pattern } from "./patterns.ts";
import type { Schema } from "./schema.ts";

/** So many keys, elements or literals are looked at in the time of one step. */
const perStep = 16;

/** So many characters are, and so many times one of a pattern's states meets a character. */
const charactersPerStep = 256;

/** In steps; none for what is small. */
export function stepsFor(schema: Schema, instance: Instance): number {
  switch (instance.kind) {
    case Kind.string:
      return textSteps(schema.pattern, instance.text.length);
    case Kind.array:
      return Math.floor((instance.items().length + literalsOf(schema)) / perStep);
    case Kind.object:
      return Math.floor((keysOf(schema, instance.members().length) + literalsOf(schema)) / perStep);
    default:
      return 0;
  }
}

function textSteps(pattern: Pattern | undefined, length: number): number {
  return Math.floor(length / charactersPerStep) + (pattern === undefined ? 0 : searchSteps(pattern, length));
}

/** @param length of the text that is searched */
export function searchSteps(pattern: Pattern, length: number): number {
  return Math.floor(pattern.work(length) / charactersPerStep);
}

function keysOf({ patternProperties = [], required = [], dependents }: Schema, members: number): number {
  return members * (1 + patternProperties.length) + required.length + dependents.length;
}

/** What is not whole yet is compared with one literal after another. */
function literalsOf({ enum: literals }: Schema): number {
  return literals?.size ?? 0;
}
