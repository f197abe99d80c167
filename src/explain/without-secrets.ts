// Final values without those that a build took from Secrets.
import type { Node } from "../yaml/index.ts";
import { readListed } from "./chain.ts";
import type { StackDocument } from "./document.ts";
import { oneLine } from "./one-line.ts";
import { resolvedValues } from "./walk.ts";

/** Undefined where no part is secret. What a secret value overrides is no final value, either. @param parts lowest first */
export function withoutSecrets(parts: readonly StackDocument[]): Node | undefined {
  if (!parts.some(({ isSecret }) => isSecret)) return undefined;
  const nodes = parts.flatMap(({ root }, layer) => (root === undefined ? [] : [{ layer, node: root }]));
  const at = { of: "text" } as const;
  const values = resolvedValues(nodes, { isSecret: () => false })
    .filter(({ winner, isMapping }) => !isMapping && parts[winner.layer]?.isSecret === false)
    .map(({ path, winner, left }) => ({ path, text: left ?? oneLine(winner.node), at }));
  return readListed(values, at).root;
}
