// The variables of a Kustomization of Flux, and what a build has in place of them.
import { decodeStream, Mark } from "../../krm/index.ts";
import { isOff } from "../../layers/index.ts";
import { formatItem } from "../../diagnostic.ts";
import type { Substitution } from "../kustomize/substitution.ts";
import { BadExpression, type Lookup, substituted } from "./expression.ts";

/** @param onRefused called with an object that Flux refuses, and why: it stays as it is */
export function substitutionOf(
  lookup: Lookup,
  onRefused: (object: string, reason: string) => void,
): Substitution {
  return {
    inText: (text) => {
      try {
        return substituted(text, lookup);
      } catch (error) {
        if (error instanceof BadExpression) return { text, variables: [] };
        throw error;
      }
    },
    inStream: (bytes) => {
      const envelope = decodeStream(bytes);
      const items = "items" in envelope ? envelope.items : [];
      const texts: Buffer[] = [];
      let end = 0;
      for (const item of items) {
        const own = bytes.subarray(item.start, item.end);
        texts.push(Buffer.from(bytes.subarray(end, item.start)));
        end = item.end;
        try {
          const text = isOff(item, Mark.substitute)
            ? undefined
            : substituted(Buffer.from(own).toString("utf8"), lookup);
          const made = Buffer.from(text?.text ?? own);
          if (!("items" in decodeStream(made)))
            throw new BadExpression("what its variables make of it, which is no YAML");
          texts.push(made);
        } catch (error) {
          if (!(error instanceof BadExpression)) throw error;
          onRefused(formatItem(item), error.message);
          texts.push(Buffer.from(own));
        }
      }
      return Buffer.concat([...texts, bytes.subarray(end)]);
    },
  };
}
