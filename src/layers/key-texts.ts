// Guarded texts → the data keys of the very item they were folded for.
import { isLayerItem } from "./held.ts";
import { bytesFor, type GuardedText } from "./guarded.ts";
import { type TextEdit, isNode, type Item, setKeyTexts } from "../krm/index.ts";

/** A text and the key that is to hold it. */
export interface KeyText {
  readonly key: string;
  readonly part: "data" | "stringData";
  readonly text: GuardedText;
  /** True if it is written as base64. */
  readonly encoded: boolean;
}

/** Sets data keys of a ConfigMap or Secret, and removes others. Throws where a secret would reach any other item. */
export function writeKeys(item: Item, texts: readonly KeyText[], gone: readonly string[]): TextEdit[] {
  const root = item.read();
  if (!isNode(root) || !isLayerItem(item)) return [];
  return (["data", "stringData"] as const).flatMap((part) => {
    const own = texts.filter((each) => each.part === part);
    const plain = own.map(({ key, text, encoded }) => {
      return [key, Buffer.from(bytesFor(text, item)).toString(encoded ? "base64" : "utf8")] as const;
    });
    return setKeyTexts(root, part, plain, gone);
  });
}
