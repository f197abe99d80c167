// What a CI job finds: a registry, a release of valuefold, a repository; and what a cluster would pull.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { run, succeed, tools, type Ran } from "./sops-world.ts";

const root = new URL("../../", import.meta.url).pathname;
export const example = join(root, "examples/flux-oci");
export const user = "flux";
export const password = "throw-away";

export function temporary(): string {
  return mkdtempSync(join(tmpdir(), "valuefold-flux-"));
}

export interface Registry {
  readonly host: string;
  readonly stop: () => void;
}

export async function startRegistry(): Promise<Registry> {
  const registry = spawn(`${tools}oci-registry`, [user, password], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(registry.stdout, "data")) as [Buffer];
  return { host: line.toString().trim(), stop: () => registry.kill() };
}

/** A folder as a release has it: the archive of this build, run by Node, and SHA256SUMS. */
export function makeRelease(name: string): string {
  const folder = temporary();
  cpSync(join(root, "dist"), join(folder, name), { recursive: true });
  symlinkSync("valuefold.cjs", join(folder, name, "valuefold"));
  succeed("tar", ["-czf", `${name}.tar.gz`, name], { cwd: folder });
  const sum = createHash("sha256")
    .update(readFileSync(join(folder, `${name}.tar.gz`)))
    .digest("hex");
  const other = `${"0".repeat(64)}  ${name.replace("x64", "arm64")}.tar.gz\n`;
  writeFileSync(join(folder, "SHA256SUMS"), `${other}${sum}  ${name}.tar.gz\n`);
  return folder;
}

/** The example as a repository of its own, on its main branch. */
export function makeRepository(): string {
  const repository = join(temporary(), "shop");
  cpSync(example, repository, { recursive: true });
  git(repository, "init", "-q", "-b", "main");
  commit(repository);
  return repository;
}

export function git(repository: string, ...args: readonly string[]): string {
  const author = ["-c", "user.name=Test", "-c", "user.email=test@shop.example"];
  return succeed("git", [...author, ...args], { cwd: repository }).trim();
}

export function commit(repository: string): string {
  git(repository, "add", "-A");
  git(repository, "commit", "-q", "-m", "A change");
  return git(repository, "rev-parse", "HEAD");
}

/** The environment of a runner: kustomize, flux and docker, but no valuefold; a home of its own. */
export function runnerEnv(registry: Registry): Readonly<Record<string, string>> {
  const home = temporary();
  const programs = join(home, "bin");
  mkdirSync(programs);
  for (const tool of ["kustomize", "flux"]) symlinkSync(`${tools}${tool}`, join(programs, tool));
  symlinkSync(`${tools}bin/docker`, join(programs, "docker"));
  return {
    HOME: home,
    TMPDIR: home,
    PATH: [programs, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    ...podmanSettings(home, registry),
  };
}

/** `docker` is podman here: it must be told where flux looks for a login, and that loopback needs no TLS. */
function podmanSettings(home: string, { host }: Registry): Record<string, string> {
  const registries = join(home, "registries.conf");
  writeFileSync(registries, `[[registry]]\nlocation = "${host}"\ninsecure = true\n`);
  return { CONTAINERS_REGISTRIES_CONF: registries, REGISTRY_AUTH_FILE: join(home, "auth.json") };
}

export interface Pulled {
  readonly rendered: string;
  readonly digest: string;
  readonly revision: string;
}

/** What source-controller would fetch, or nothing if there is no such tag. */
export function pull(artifact: string): Pulled | undefined {
  const folder = temporary();
  const { status, stderr } = pulled(artifact, folder);
  if (status !== 0) {
    if (/MANIFEST_UNKNOWN|NAME_UNKNOWN/.test(stderr)) return undefined;
    throw new Error(stderr);
  }
  return {
    rendered: readFileSync(join(folder, "rendered.yaml"), "utf8"),
    digest: /digest \S+@(\S+)/.exec(stderr)?.[1] ?? "",
    revision: /revision (\S+)/.exec(stderr)?.[1] ?? "",
  };
}

function pulled(artifact: string, folder: string): Ran {
  const creds = ["--creds", `${user}:${password}`];
  return run("flux", ["pull", "artifact", `oci://${artifact}`, "--output", folder, ...creds]);
}
