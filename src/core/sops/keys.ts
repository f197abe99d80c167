// A mounted folder of keys, in the form Flux keeps them in a Secret: `*.agekey` identities and `*.asc` PGP keys.
// SOPS reads age identities where they are; gpg wants a keyring, which is made for one run and removed.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a program with an environment; true if it succeeded. */
export type Runner = (command: readonly [string, ...string[]], env: Environment) => Promise<boolean>;

export interface Keys {
  /** Variables that SOPS needs in addition to its usual environment. */
  readonly env: Environment;
  remove(): Promise<void>;
}

const none: Keys = { env: {}, remove: () => Promise.resolve() };

/**
 * @param folder as `sops.keys` names it; rejects if it, or a key in it, cannot be read
 * @param runners `run` may be stopped; `clean` is not, so that nothing is left over
 */
export async function keysIn(
  folder: string | undefined,
  env: Environment,
  { run, clean }: { readonly run: Runner; readonly clean: Runner },
): Promise<Keys> {
  if (folder === undefined) return none;
  const files = readdirSync(folder).toSorted();
  const paths = (suffix: string): string[] =>
    files.filter((name) => name.endsWith(suffix)).map((name) => join(folder, name));
  const age = ageEnvironment(paths(".agekey"));
  const pgp = paths(".asc");
  if (pgp.length === 0) return { ...none, env: age };
  const home = mkdtempSync(join(tmpdir(), "valuefold-gnupg-"));
  const ring = { ...env, GNUPGHOME: home };
  await run(["gpg", "--batch", "--quiet", "--import", ...pgp], ring);
  const remove = async (): Promise<void> => {
    // The keys go first: the agent may be slow to end.
    rmSync(join(home, "private-keys-v1.d"), { recursive: true, force: true });
    await clean(["gpgconf", "--kill", "gpg-agent"], ring);
    rmSync(home, { recursive: true, force: true });
  };
  return { env: { ...age, GNUPGHOME: home }, remove };
}

/** SOPS reads one file, or identities from a variable; files may lack their last newline. */
function ageEnvironment(files: readonly string[]): Environment {
  const [only] = files;
  if (only === undefined) return {};
  if (files.length === 1) return { SOPS_AGE_KEY_FILE: only };
  return { SOPS_AGE_KEY: files.map((file) => readFileSync(file, "utf8")).join("\n") };
}
