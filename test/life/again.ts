// A second fold changes nothing.
import { foldText } from "../support/fold.ts";
import type { Pipeline } from "./choices.ts";
import { itemsPart } from "./kpt.ts";
import { type Rendered, render, streamConfig } from "./render.ts";
import type { Repository } from "./repository.ts";
import type { Broken, Round } from "./round.ts";

/** A second fold changes nothing: neither at once, nor once it was written to files and read again. */
export function idempotence({ pipeline, before: { settings }, rendered }: Round): Broken | undefined {
  const { output } = rendered.folded;
  const again = pipeline === "plain" ? foldText(output, streamConfig(settings)) : foldText(output);
  if (again.exitCode !== 0) return { law: "idempotence", detail: `the second fold fails: ${again.messages}` };
  const isSame =
    pipeline === "plain" ? again.output === output : itemsPart(again.output) === itemsPart(output);
  if (!isSame) return { law: "idempotence", detail: firstDifference(output, again.output) };
  return pipeline === "plain"
    ? undefined
    : afterWriting(rendered, { files: rendered.files, settings }, pipeline);
}

function afterWriting({ files }: Rendered, written: Repository, pipeline: Pipeline): Broken | undefined {
  const next = render(written, pipeline);
  if (next.folded.exitCode !== 0)
    return { law: "idempotence", detail: `the next render fails: ${next.folded.messages}` };
  const [was, is] = [files, next.files].map((all) =>
    all.map(({ path, text }) => `# ${path}\n${text}`).join(""),
  );
  return was === is
    ? undefined
    : { law: "idempotence", detail: `next render: ${firstDifference(was ?? "", is ?? "")}` };
}

function firstDifference(a: string, b: string): string {
  const [before, after] = [a.split("\n"), b.split("\n")];
  const at = before.findIndex((line, index) => line !== after[index]);
  const around = (lines: readonly string[]): string =>
    lines.slice(Math.max(0, at - 1), at + 3).join("\n    ");
  return `line ${at + 1}\n    ${around(before)}\n  became\n    ${around(after)}`;
}
