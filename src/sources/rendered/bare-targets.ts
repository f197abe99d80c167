// Releases that leave all to their charts are no targets of a list: what their charts have is all that is in them.
import { type Explained, explainTargets, type SourceTarget } from "../../explain/index.ts";
import type { Explanation } from "../../explanation.ts";
import { objectId, objectKey, objectText } from "../../object-id.ts";
import type { Input } from "../entry.ts";

/** The targets of an explanation, and these. @param input listened to by the releases of the question */
export async function withBareTargets<E extends Pick<Explained, "explanation">>(
  explained: E,
  { released = [], overChart }: Input,
): Promise<E> {
  const { explanation } = explained;
  if (explanation === undefined) return explained;
  const names = new Set(explanation.targets.map(objectKey));
  const found: SourceTarget[] = [];
  for (const each of released.filter((own) => !names.has(objectKey(own)))) {
    const over = await overChart?.(objectText(each), []);
    if (over !== undefined) found.push({ ...objectId(each), stacks: [over] });
  }
  const targets: Explanation["targets"] = [...explanation.targets, ...explainTargets(found).targets];
  return { ...explained, explanation: { ...explanation, targets } };
}
