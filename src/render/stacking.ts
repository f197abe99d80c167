// Texts of layers, lowest first → merged values. konfigure's rule is ours but for one thing: an explicit null at the top
// drops all that lies below.
import type { Diagnostic } from "../diagnostic.ts";
import { leafOf, merge, type Tree } from "../core/index.ts";
import type { Reader, Source } from "./document.ts";
import type { Origins } from "./origins.ts";
import { warningAt } from "./fault.ts";

export interface Stacked {
  /** Undefined for nothing. */
  readonly tree: Tree | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Lays one text over what is merged so far. */
export function stacked(base: Tree | undefined, source: Source, reader: Reader, origins?: Origins): Stacked {
  const { holds, root, faults, notes } = reader.read(source);
  const diagnostics = [...faults, ...notes];
  if (root !== undefined) {
    origins?.note(root.doc, source);
    return { tree: base === undefined ? leafOf(root) : merge(base, root), diagnostics };
  }
  if (holds === "nothing" || base === undefined) return { tree: base, diagnostics };
  return { tree: undefined, diagnostics: [...diagnostics, wiped(source)] };
}

function wiped({ path, isRendered }: Source): Diagnostic {
  return warningAt(
    "values-wiped",
    isRendered ? `${path} as it is rendered` : path,
    "null at the top drops the values of all lower layers",
    "leave the file empty if nothing is meant; a comment alone drops nothing",
  );
}
