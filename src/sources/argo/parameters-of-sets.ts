// What a generator of an ApplicationSet makes: values that a template is filled with, and where each is written.
import type { Place, Variable } from "../../explanation.ts";
import { listIn, membersIn, type Placed, plainIn } from "../placed.ts";
import { asFields, isFields } from "../plain.ts";
import { distinct } from "../../grouped.ts";

/** Values as a template sees them: nested for Go's templates, flat names for the plain ones. */
export interface SetParameters {
  readonly values: Readonly<Record<string, unknown>>;
  /** By names with dots. */
  readonly places: ReadonlyMap<string, Place>;
}

export const noParameters: SetParameters = { values: {}, places: new Map() };

/** A mapping as parameters of Go's templates. */
export function nested(mapping: Placed): SetParameters {
  return { values: asFields(plainIn(mapping)), places: placesIn(mapping) };
}

/** With more values, which have no places. */
export function withValues(
  { values, places }: SetParameters,
  more: Readonly<Record<string, unknown>>,
): SetParameters {
  return { values: { ...values, ...more }, places };
}

export function placesIn(field: Placed, name = ""): ReadonlyMap<string, Place> {
  const own: [string, Place][] = field.at === undefined || name === "" ? [] : [[name, field.at]];
  const below = [...membersIn(field)].flatMap(([key, each]) => [
    ...placesIn(each, name === "" ? key : `${name}.${key}`),
  ]);
  const elements = listIn(field).flatMap((each, index) => [...placesIn(each, `${name}.${index}`)]);
  return new Map([...own, ...below, ...elements]);
}

/** All scalars by flat names: `a.b`, `list.0`. */
export function flattened(value: unknown, name = ""): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return name === "" ? {} : { [name]: goText(value) };
  const entries = Object.entries(value);
  if (entries.length === 0) return name === "" ? {} : { [name]: Array.isArray(value) ? "[]" : "map[]" };
  return Object.assign(
    {},
    ...entries.map(([key, each]: [string, unknown]) => flattened(each, name === "" ? key : `${name}.${key}`)),
  ) as Record<string, string>;
}

/** As Go prints a value: every number is a float64. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  if (typeof value !== "number") return JSON.stringify(value);
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < 6) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

/** Go's mergo with its option to override: a value that is empty overrides nothing. */
export function mergedValues(
  base: Readonly<Record<string, unknown>>,
  override: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(override)) {
    const lower = made[key];
    if (isFields(lower) && isFields(value)) made[key] = mergedValues(lower, value);
    else if (!(key in made) || !isEmpty(value)) made[key] = value;
  }
  return made;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === "" || value === 0 || value === false;
}

/** The parameters that a text of a template names, as far as it is known where they are. */
export function variablesIn(text: string, { places }: SetParameters): readonly Variable[] {
  // After the last braces no name ends: looking for its end at each `{{` would take the square of the time.
  const named = text.slice(0, text.lastIndexOf("}}") + 2);
  const names = [...named.matchAll(/\{\{([^]*?)\}\}/g)].flatMap(([, inside = ""]) => [
    inside.trim(),
    ...[...inside.matchAll(/\.([A-Za-z_]\w*(?:\.\w+)*)/g)].map(([, name = ""]) => name),
    ...[...inside.matchAll(/index\s+\.([\w.]+)\s+"([^"]+)"/g)].map(
      ([, base = "", key = ""]) => `${base}.${key}`,
    ),
  ]);
  const found = names.flatMap((name) => {
    const at = places.get(name);
    return at === undefined ? [] : { name, at };
  });
  return distinct(found, ({ name }) => name);
}
