// The rule of a fault code for SARIF: its cause, its cure and where both are explained.
import type { Diagnostic } from "../diagnostic.ts";
import { faultCodes } from "../fault-codes.ts";
import type { SarifRule } from "../report/index.ts";

/** @param docs where the pages are read */
export function sarifRule(code: Diagnostic["code"], docs: string): SarifRule {
  const [cause, cure] = faultCodes[code];
  const plain = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const linked = (text: string): string => text.replaceAll("](", `](${docs}/`);
  return {
    shortDescription: { text: plain(cause) },
    help: { text: plain(cure), markdown: `${linked(cause)}\n\n**Cure:** ${linked(cure)}` },
    helpUri: `${docs}/faults.md#fault-codes`,
  };
}
