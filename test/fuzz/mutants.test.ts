// Any bytes at all give a list, or a fault: inputs of all kinds, changed a little, for every command. No crash, no hang, no
// output that cannot be read, no letter lost from bytes that are not UTF-8.
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { unsupplied } from "../../src/core/fold.ts";
import { finalValues } from "../../src/explain/final-values.ts";
import { verify } from "../../src/explain/verify.ts";
import { explainText } from "../support/explain.ts";
import { foldText, itemsOnly } from "../support/fold.ts";
import { inputs } from "./corpus.ts";
import { bytesOf, type Failure, hunt } from "./hunt.ts";
import { mutated } from "./mutate.ts";

const longest = 20_000;
const seen = { folded: 0, refused: 0 };

function check([input = "", command = "fold"]: readonly string[]): Failure | undefined {
  const bytes = bytesOf(input);
  const start = performance.now();
  try {
    return ran(bytes, command) ?? late(start, command);
  } catch (bug) {
    const stack = bug instanceof Error ? (bug.stack ?? "") : String(bug);
    return { kind: `a bug: ${/\/src\/[^)\n]*/.exec(stack)?.[0] ?? stack.slice(0, 100)}`, detail: stack };
  }
}

function late(start: number, command: string): Failure | undefined {
  return performance.now() - start > longest
    ? { kind: `${command} takes more than ${longest} ms` }
    : undefined;
}

function ran(bytes: Buffer, command: string): Failure | undefined {
  if (command === "explain") explainText(bytes);
  else if (command === "verify") verify({ input: bytes, strict: false });
  else if (command === "values") {
    const [, kind = "App"] = /kind: (App|HelmRelease)/.exec(bytes.toString("latin1")) ?? [];
    const name = new RegExp(`kind: ${kind}\\n *metadata:\\s+\\{?name: ([\\w-]+)`).exec(
      bytes.toString("latin1"),
    )?.[1];
    unsupplied(
      finalValues({ input: bytes, form: "stream", target: `${kind}/${name ?? "shop"}`, secrets: true }),
    );
  } else return folded(bytes);
  return undefined;
}

function folded(bytes: Buffer): Failure | undefined {
  const { exitCode, output, bytes: written, messages } = foldText(bytes);
  seen[exitCode === 0 ? "folded" : "refused"]++;
  if (exitCode === 2) return { kind: "exit 2", detail: messages };
  if (exitCode !== 0) return undefined;
  if (output === "") return { kind: "exit 0 with nothing" };
  // Results name items, in text: only what is left of the input must keep its bytes.
  if (replaced(Buffer.from(itemsOnly(written.toString("latin1")), "latin1")) > replaced(bytes))
    return { kind: "a letter was replaced by U+FFFD" };
  const input = bytes.toString("utf8");
  // Where nothing is changed there is nothing to read; the library is slow.
  if (output === input || !isReadable(input)) return undefined;
  if (!isReadable(output)) return { kind: "output that cannot be read", detail: output };
  foldText(output);
  return undefined;
}

/** How many characters are the one that stands for bytes that no reader knows. */
function replaced(bytes: Buffer): number {
  return bytes.toString("latin1").split("\u00ef\u00bf\u00bd").length - 1;
}

function isReadable(text: string): boolean {
  try {
    const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" });
    return Array.isArray(documents) && documents.every(({ errors }) => errors.length === 0);
  } catch {
    return false;
  }
}

const commands = ["fold", "fold", "fold", "explain", "values", "verify"];

test("no crash, no hang, nothing unreadable", async () => {
  const corpus = inputs();
  expect(corpus.length).toBeGreaterThan(400);
  await hunt({
    name: "mutants",
    cases: 1500,
    make: (random) => [mutated(random.pick(corpus), corpus, random), random.pick(commands)],
    check,
  });
  expect(seen.folded).toBeGreaterThan(0);
});
