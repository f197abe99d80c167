// `explain`, done: what is read, what is asked, and the form of the answer. Loaded only where somebody asks.
import { writeFileSync } from "node:fs";
import { renderAnnotated } from "../explain/annotate.ts";
import { explaining } from "../explain/explain.ts";
import { renderText } from "../explain/view.ts";
import { count } from "../emit/summary.ts";
import type { Explanation } from "../explanation.ts";
import type { Outcome } from "../report/outcome.ts";
import { pageOf } from "../page/write.ts";
import type { Steps } from "../sops/need.ts";
import type { ExplainInvocation } from "./explain-line.ts";
import { readBuilds } from "./inputs.ts";

/** What a run leaves behind: an exit status, the parts of stdout, text for stderr. */
export type Ending = Pick<Outcome, "exitCode" | "output" | "messages">;

export interface Asking {
  readonly stdin: () => Uint8Array;
  readonly supplied: <T>(steps: Steps<T>) => Promise<T>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly terminal: { readonly stdin: boolean; readonly stdout: boolean };
  /** The function config, where one was named. */
  readonly config: { readonly config?: Uint8Array };
}

export async function runExplain(invocation: ExplainInvocation, world: Asking): Promise<Ending> {
  const { target, path, enableExec, files } = invocation;
  // At a terminal nobody types a stream: the directory one is in is meant.
  const names = files.length === 0 && world.terminal.stdin ? ["."] : files;
  const input = readBuilds(names, world.stdin, { env: world.env, enableExec, from: world.directory });
  const { explanation, outcome } = await world.supplied(
    explaining({
      ...input,
      form: "stream",
      ...world.config,
      ...(target === undefined ? {} : { target }),
      ...(path === undefined ? {} : { path }),
    }),
  );
  return explanation === undefined
    ? outcome
    : { ...outcome, ...answer(explanation, outcome, invocation, world) };
}

function answer(
  explanation: Explanation,
  { messages }: Outcome,
  { form, html }: ExplainInvocation,
  { terminal, env }: Asking,
): Pick<Ending, "output" | "messages"> {
  if (html !== undefined) {
    writeFileSync(html, pageOf(explanation));
    return {
      output: [],
      messages: `${messages}wrote ${html}: ${count(explanation.targets.length, "target")}\n`,
    };
  }
  const colour = terminal.stdout && (env["NO_COLOR"] ?? "") === "";
  const text =
    form === "json"
      ? `${JSON.stringify(explanation, undefined, 2)}\n`
      : form === "annotated"
        ? renderAnnotated(explanation)
        : renderText(explanation, { colour });
  const empty =
    explanation.targets.length === 0 && form === "text"
      ? "nothing to explain: the list has no target with layers\n"
      : "";
  return { output: [Buffer.from(text, "utf8")], messages: messages + empty };
}
