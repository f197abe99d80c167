// Instances under a data key of a ConfigMap or Secret, as it is once its item has folded.
import {
  describe,
  Guarded,
  type GuardedText,
  type FoldedData,
  type Item,
  lineAndColumn,
  type Node,
  type ReadFault,
  readValues,
  writtenTwice,
} from "../core/index.ts";
import { nearest } from "../diagnostic.ts";
import { fail, isFailure, type Failure, type Where } from "./faults.ts";
import type { KotsInstances } from "./kots.ts";
import { instancesIn } from "./model.ts";

export function fromData(
  source: Item,
  asked: string | undefined,
  foldedData: FoldedData,
  where: Where,
): KotsInstances | Failure {
  const keys = foldedData.keysOf(source);
  const key = asked ?? (keys.length === 1 ? keys[0] : undefined);
  const item = describe(source);
  if (key === undefined)
    return fail("repeat-target", where, `\`${item}\` has ${keys.length} data keys`, "say which with `key`");
  const text = foldedData.textOf(source, key);
  if (text === undefined) {
    const near = nearest(key, keys);
    const hint = near === undefined ? "add it" : `did you mean \`${near}\`?`;
    return fail("repeat-target", where, `\`${item}\` has no data key \`${key}\``, hint);
  }
  if ("why" in text)
    return fail(
      "repeat-target",
      where,
      `\`${key}\` of \`${item}\` cannot be read: ${text.why}`,
      "correct it",
    );
  return inText(text, `\`${key}\` of \`${item}\``, where);
}

function inText(held: GuardedText, name: string, where: Where): KotsInstances | Failure {
  const source = Guarded.of(held);
  const instances = instancesIn(source, (bytes) => {
    const { root, faults, text } = readValues(bytes);
    const fault = faults[0] ?? (root === undefined ? undefined : keyTwice(root));
    if (fault === undefined) return root;
    const { line, column } = lineAndColumn(text, fault.offset ?? 0);
    // The message shows where a Secret is wrong, not what it holds.
    const why = source.isSecret ? "cannot be read" : fault.message;
    return fail(
      "repeat-target",
      where,
      `${name}, ${line}:${column}: ${why}`,
      "correct it: instances are a mapping, and each key is there once",
    );
  });
  return isFailure(instances) ? instances : { instances };
}

/** One of two instances would be lost. */
function keyTwice(root: Node): Pick<ReadFault, "message" | "offset"> | undefined {
  const [twice] = writtenTwice(root);
  return twice && { message: `\`${twice.field}\` is written twice in one mapping`, offset: twice.offset };
}
