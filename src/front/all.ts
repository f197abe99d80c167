// All front ends: the one place that names them.
import type { Item } from "../wire/item.ts";
import { app } from "./app/app.ts";
import type { FrontEnd } from "./front-end.ts";
import { helmRelease } from "./helm-release/helm-release.ts";
import { configMap, secret } from "./in-place/in-place.ts";
import { kyma } from "./kyma/kyma.ts";

export const frontEnds: readonly FrontEnd[] = [app, helmRelease, configMap, secret, kyma];

/** The front end of an item that was selected as a target. */
export function frontEndOf({ kind }: Item): FrontEnd {
  const found = frontEnds.find((frontEnd) => frontEnd.kind === kind);
  if (found === undefined) throw new Error(`no front end for ${kind}`);
  return found;
}
