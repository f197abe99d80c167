// All front ends: the one place that names them.
import type { Item } from "../wire/item.ts";
import { app } from "./app.ts";
import type { FrontEnd } from "./front-end.ts";

export const frontEnds: readonly FrontEnd[] = [app];

/** The front end of an item that was selected as a target. */
export function frontEndOf({ kind }: Item): FrontEnd {
  const found = frontEnds.find((frontEnd) => frontEnd.kind === kind);
  if (found === undefined) throw new Error(`no front end for ${kind}`);
  return found;
}
