// What more options would save, for the report.
import { factor, type Factored, type FactorRequest } from "./factor.ts";
import { linesOf } from "./outputs.ts";

/** The same files with other options. */
export interface Variant {
  /** The options that are added: `--middle`. */
  readonly flags: string;
  readonly made: Factored;
}

/** Only those that save lines; and another order of lists only if it saves more than the order that they have. */
export function variantsOf(request: FactorRequest, made: Factored): readonly Variant[] {
  const { middle, findListKeys, listKeys, reorder } = request;
  const found: Variant[] = [];
  const look = (flags: string, more: Partial<FactorRequest>, most: number): Factored => {
    const next = factor({ ...request, ...more, known: made });
    if (next.unproven.length === 0 && linesOf(next) < most) found.push({ flags, made: next });
    return next;
  };
  const lines = linesOf(made);
  if (!middle) look("--middle", { middle: true }, lines);
  const mayFind = !findListKeys && listKeys.length === 0;
  const keyed = mayFind ? look("--list-key auto", { findListKeys: true }, lines) : made;
  if (reorder) return found;
  const more = mayFind ? { findListKeys: true, reorder: true } : { reorder: true };
  const flags = mayFind ? "--list-key auto --reorder" : "--reorder";
  const loose = keyed.listKeys.length > 0 || mayFind ? look(flags, more, linesOf(keyed)) : keyed;
  if (!middle && loose.listKeys.length > 0)
    look(`${flags} --middle`, { ...more, middle: true }, linesOf(loose));
  return found;
}
