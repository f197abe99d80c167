// What more options would save, for the report.
import { factor, type Factored, type FactorRequest } from "./factor.ts";
import { linesOf } from "./outputs.ts";

/** The same files with other options. */
export interface Variant {
  /** The options that are added: `--middle`. */
  readonly flags: string;
  readonly made: Factored;
}

/** Only those that save lines: each row of the report has fewer than any above it. */
export function variantsOf(request: FactorRequest, made: Factored): readonly Variant[] {
  const { middle, findListKeys, listKeys, reorder } = request;
  const mayFind = !findListKeys && listKeys.length === 0;
  const auto = { findListKeys: true };
  const found: Variant[] = [];
  let least = linesOf(made);
  const look = (flags: string, more: Partial<FactorRequest>): Factored => {
    const next = factor({ ...request, ...more });
    if (next.unproven.length === 0 && linesOf(next) < least) {
      least = linesOf(next);
      found.push({ flags, made: next });
    }
    return next;
  };
  const add = middle ? "" : " --middle";
  if (!middle) look("--middle", { middle: true });
  const keyed = mayFind ? look("--list-key auto", auto) : made;
  if (keyed.listKeys.length === 0 || reorder) return found;
  const start = mayFind ? "--list-key auto --reorder" : "--reorder";
  const more = mayFind ? { ...auto, reorder: true } : { reorder: true };
  look(start, more);
  if (!middle) look(start + add, { ...more, middle: true });
  return found;
}
