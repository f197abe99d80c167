// A mapping as instances: its keys are their names.
import { isFault, readDocument } from "../yaml/read.ts";
import { isNull } from "../yaml/resolve.ts";
import { keyText } from "../yaml/scalar.ts";
import { isScalar, type Node, valueOf } from "../yaml/tape.ts";
import { entriesOf } from "../yaml/view.ts";
import type { Instance } from "./model.ts";

/** Entries of a mapping; null removes one. */
export function instancesIn(mapping: Node, secret: boolean): Instance[] {
  return [...entriesOf(valueOf(mapping)).values()].flatMap((entry) => {
    // A name is what is written: a plain `on` or `no` is one, too.
    const name = keyText(entry);
    const value = valueOf(entry);
    return isScalar(value) && isNull(value) ? [] : [{ name, value, secret }];
  });
}

/** A mapping of instances from text that was put together here. */
export function instancesFrom(text: string): readonly Instance[] {
  const doc = readDocument(Buffer.from(text, "utf8"));
  return isFault(doc) ? [] : instancesIn({ doc, row: 0 }, false);
}
