// What the words on the command line ask for, done. Loaded only if there are any: a function has none.
import { isatty } from "node:tty";
import {
  Exit,
  legible,
  type Outcome,
  renderGithub,
  renderJson,
  renderSarif,
  type Request,
  type SourceFile,
} from "../core/index.ts";
import { type ValuesRequest, verify } from "../explain/index.ts";
import { version } from "../version.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { type Format, type Invocation, parseCommandLine, type Reading } from "./command-line.ts";
import { completionFor } from "./completion.ts";
import { helpText } from "./help.ts";
import { readInputs } from "./inputs.ts";
import { install } from "./install.ts";
import type { Asking, Ending } from "./asking.ts";
import { runDiff, runExplain } from "./questions.ts";
import { nameReference } from "./name-reference.ts";
import type { RenderInvocation } from "./render.ts";
import { type Configured, configuredBy } from "./schemas.ts";
import { readFile } from "./stdio.ts";

export interface World extends Omit<Asking, "config" | "messagesOf" | "terminal"> {
  /** Which of stdin and stdout are terminals, where somebody says so: Node's own module for it is slow to load. */
  readonly terminal?: Asking["terminal"];
  /** The executable that runs; undefined for a script that Node was given. */
  readonly executable: () => string | undefined;
  readonly fold: (request: Request) => Promise<Outcome>;
  readonly values: (request: ValuesRequest) => Promise<Outcome>;
  readonly render: (invocation: RenderInvocation) => Promise<Outcome>;
}

/** Runs what was typed. Throws what reading files throws. */
export async function runCommand(args: readonly string[], world: World): Promise<Ending> {
  const invocation = parseCommandLine(args);
  switch (invocation.command) {
    case "help":
      return said(helpText);
    case "version":
      return said(`${version}\n`);
    case "completion":
      return said(completionFor(invocation.shell));
    case "print":
      return said(nameReference);
    case "install":
      return install(world.executable(), world.directory, invocation.into);
    case "misused":
      return complained(
        `error[usage]: ${legible(invocation.message)}\n  hint  ${legible(invocation.hint ?? "see valuefold --help")}\n`,
      );
    case "fold":
      return told(
        await world.fold({ ...requestOf(invocation, world), ...previousOf(invocation) }),
        invocation,
      );
    case "render":
      return told(await world.render(invocation.asked), invocation);
    case "values": {
      const { target, secrets } = invocation;
      return told(await world.values({ ...requestOf(invocation, world), target, secrets }), invocation);
    }
    case "explain":
      return runExplain(invocation, {
        ...asking(invocation, world),
        messagesOf: (outcome) => told(outcome, invocation).messages,
      });
    case "diff":
      return runDiff(invocation, asking(invocation, world));
    case "verify":
      return verified(invocation, world);
  }
}

async function verified(
  invocation: Extract<Invocation, { command: "verify" }>,
  world: World,
): Promise<Ending> {
  const { strict, unfolded } = invocation;
  const request = requestOf(invocation, world);
  await world.prepare(request.input);
  const outcome = verify({ ...request, strict, unfolded });
  const report = renderedAs(invocation.format, outcome.diagnostics);
  // There is no list to write, so stdout is free for a report.
  if (report !== undefined) return { ...outcome, output: [Buffer.from(report, "utf8")], messages: "" };
  return told(outcome, invocation);
}

function requestOf(invocation: Reading, world: World): Request & { files: SourceFile[] } {
  return { ...readInputs(invocation.files, world.stdin), form: "stream", ...configOf(invocation) };
}

/** Messages in the form that was asked for; as text, with what happened at their end. */
function told(outcome: Outcome, { format, quiet }: Reading): Ending {
  const messages = renderedAs(format, outcome.diagnostics);
  return { ...outcome, messages: messages ?? outcome.messages + (quiet ? "" : (outcome.account?.() ?? "")) };
}

function renderedAs(format: Format, diagnostics: readonly Diagnostic[]): string | undefined {
  switch (format) {
    case "text":
      return undefined;
    case "json":
      return renderJson(diagnostics);
    case "github":
      return renderGithub(diagnostics);
    case "sarif":
      return renderSarif(diagnostics, version);
  }
}

/** The answer to a bare call at a terminal, where a function would wait for ever; undefined elsewhere. */
export function refusalAtTerminal(descriptor: number): Ending | undefined {
  return isatty(descriptor) ? complained(helpText) : undefined;
}

function said(text: string): Ending {
  return { exitCode: Exit.ok, output: [Buffer.from(text, "utf8")], messages: "" };
}

function complained(text: string): Ending {
  return { exitCode: Exit.faults, output: [], messages: text };
}

function asking(invocation: Named, world: World): Asking {
  const terminal = world.terminal ?? { stdin: isatty(0), stdout: isatty(1) };
  return { ...world, terminal, messagesOf: ({ messages }) => messages, config: configOf(invocation) };
}

type Named = Pick<Reading, "config"> & Partial<Pick<Reading, "schemas">>;

function configOf({ config, schemas = [] }: Named): Configured {
  return configuredBy(config, schemas);
}

function previousOf({ previous }: Extract<Invocation, { command: "fold" }>): { previous?: Uint8Array } {
  return previous === undefined ? {} : { previous: readFile(previous) };
}
