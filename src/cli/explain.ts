// `explain`, done: what is read, what is asked, and the form of the answer.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { explaining, pageOf, renderAnnotated, renderText } from "../explain/index.ts";
import { count } from "../core/index.ts";
import type { Explanation } from "../explanation.ts";
import type { Asking, Ending } from "./asking.ts";
import { type ExplainInvocation, isFileLike } from "./explain-line.ts";
import { UsageError } from "./build.ts";
import { readBuilds } from "./inputs.ts";

export async function runExplain(invocation: ExplainInvocation, world: Asking): Promise<Ending> {
  const { target, enableExec } = invocation;
  const { path, named } = sorted(invocation, world.directory);
  // At a terminal nobody types a stream: the directory one is in is meant.
  const names = named.length === 0 && world.terminal.stdin ? ["."] : named;
  const { env, tidily, directory } = world;
  const input = await readBuilds(names, world.stdin, { env, tidily, enableExec, from: directory });
  await world.prepare(input.input);
  const { explanation, outcome } = await world.supplied(
    explaining({
      ...input,
      form: "stream",
      ...world.config,
      ...(target === undefined ? {} : { target }),
      ...(path === undefined ? {} : { path }),
    }),
  );
  const messages = world.messagesOf(outcome);
  return explanation === undefined
    ? { ...outcome, messages }
    : { ...outcome, ...answer(explanation, messages, invocation, world) };
}

/** A word may be both a path in values and a file: what is there is a file, wherever it stands. */
function sorted(
  { path, files }: ExplainInvocation,
  directory: string,
): { readonly path: string | undefined; readonly named: readonly string[] } {
  const isThere = (name: string): boolean => existsSync(resolve(directory, name));
  if (path !== undefined)
    return isThere(path) ? { path: undefined, named: [path, ...files] } : { path, named: files };
  const stray = files.find((name) => !isFileLike(name) && !isThere(name));
  return { path: stray, named: files.filter((name) => name !== stray) };
}

function answer(
  explanation: Explanation,
  messages: string,
  { form, html }: ExplainInvocation,
  { terminal, env, directory }: Asking,
): Pick<Ending, "output" | "messages"> {
  if (html !== undefined) {
    writePage(resolve(directory, html), html, pageOf(explanation));
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

/** Another page may be there; any other file is somebody's, and named by mistake. */
function writePage(path: string, name: string, page: string): void {
  const start = page.slice(0, page.indexOf("<meta"));
  if (existsSync(path) && !isPage(path, start))
    throw new UsageError(
      `\`${name}\` is there, and is no page of valuefold`,
      "name another file: --html takes the name of the page, and what is read stands behind it",
    );
  try {
    writeFileSync(path, page);
  } catch {
    throw new UsageError(`cannot write \`${name}\``, "name a file in a directory that is there");
  }
}

function isPage(path: string, start: string): boolean {
  try {
    const text = readFileSync(path, "utf8");
    return text.startsWith(start) && text.includes("valuefold explain");
  } catch {
    return false;
  }
}
