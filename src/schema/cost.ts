// The steps that one schema costs for a value, without those of nested schemas. It bounds the time of every keyword.
import type { Instance } from "./instance.ts";
import { Kind } from "./kinds.ts";
import type { Pattern } from "./patterns.ts";
import type { Schema } from "./schema.ts";

/** Keys, elements or literals that are compared in the time of one step. */
const perStep = 16;

/** Characters, or characters times states of a pattern, that are read in the time of one step. */
const charactersPerStep = 256;

/** 0 for small values. */
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
  return Math.floor(pattern.cost(length) / charactersPerStep);
}

function keysOf({ patternProperties = [], required = [], dependents }: Schema, members: number): number {
  return members * (1 + patternProperties.length) + required.length + dependents.length;
}

/** A value that is not fully known is compared with each literal. */
function literalsOf({ enum: literals }: Schema): number {
  return literals?.size ?? 0;
}
