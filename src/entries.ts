// The entries of a directory for a program: what the command line finds in a checkout, and explains.
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { sopsWith, supplied } from "./core/index.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { EntriesOptions, Entry, EntryQuestion, ExplainOutcome } from "./public.ts";
import {
  configuredBy,
  entriesNamed,
  type ExplainOptions,
  explainedEntries,
  failedBuild,
  runRender,
  settingsFaults,
  type CheckoutEntry as SourceEntry,
  UsageError,
  type Workspace,
} from "./sources/index.ts";

export function entriesIn(
  directory: string,
  { env = {}, repositories = {}, clusters }: EntriesOptions,
): readonly Entry[] {
  const from = resolve(directory);
  // Entries know files by their real paths.
  const top = realpathSync(from);
  const sops: Parameters<typeof supplied>[1] = async (need) => {
    const program = sopsWith(env, need.keys);
    return "open" in need ? program.open(need.open) : program.seal(need.seal, need.recipients);
  };
  const stdin = (): Uint8Array => new Uint8Array();
  const workspace: Workspace = {
    env,
    from,
    stdin,
    enableExec: false,
    // A caller handles its own signals.
    tidily: (work) => work(undefined),
    render: (invocation) => runRender(invocation, { directory: from, stdin, sops }),
    repositories: new Map(Object.entries(repositories).map(([url, path]) => [url, resolve(path)])),
    ...(clusters === undefined ? {} : { clusters: resolve(clusters) }),
  };
  const how: ExplainOptions = {
    configured: (input) => configuredBy({}, input),
    isOwn: true,
    supplied: (steps) => supplied(steps, sops),
    prepare: () => Promise.resolve(),
  };
  try {
    return entriesNamed(["."], workspace).map((entry) => ({
      name: entry.name,
      kind: entry.kind,
      reads: (file) => entry.reads(resolve(top, file)),
      explain: (question = {}) => explainedBy(entry, how, question),
    }));
  } catch (error) {
    const diagnostics = settingsFaults(error);
    if (diagnostics === undefined) throw error;
    return [unreadableEntry(diagnostics)];
  }
}

/** A checkout with wrong settings. */
function unreadableEntry(diagnostics: readonly Diagnostic[]): Entry {
  const explain = (): Promise<ExplainOutcome> => Promise.resolve({ ok: false, diagnostics });
  return { name: ".", kind: "unreadable", reads: () => true, explain };
}

/** An entry that cannot be read is a fault among others. */
async function explainedBy(
  entry: SourceEntry,
  how: ExplainOptions,
  question: EntryQuestion,
): Promise<ExplainOutcome> {
  const { target, path } = question;
  const own = { ...(target !== undefined && { target }), ...(path !== undefined && { path }) };
  const { explanation, outcome } = await explainedEntries([entry], how, own).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    return { explanation: undefined, outcome: failedBuild(entry.name, error) };
  });
  const { exitCode, diagnostics } = outcome;
  return { ok: exitCode === 0, diagnostics, ...(explanation === undefined ? {} : { explanation }) };
}
