// A hostile checkout on a disk, with what is around it, and what a run of the program did there.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  appendFileSync,
  lstatSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { canaries, type Outside, writeOutside } from "../support/hostile-outside.ts";
import { type HostileCheckout, hostileCheckout } from "../support/hostile-checkout.ts";
import { tools } from "./stamps.ts";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const mostMs = 20_000;

/** What is wrong, in words that are the same for the same mistake. */
export interface Breach {
  readonly law: string;
  readonly command: string;
  readonly detail: string;
}

/** One checkout, and all its commands. */
export async function breachesIn(seed: number): Promise<{
  readonly breaches: readonly Breach[];
  readonly checkout: HostileCheckout;
  readonly folder: string;
}> {
  const root = mkdtempSync(join(tmpdir(), "valuefold-hostile-"));
  const listener = await Listener.open();
  try {
    const outside = writeOutside(root, listener.port);
    const checkout = hostileCheckout(seed, outside);
    writeCheckout(checkout, outside);
    const breaches: Breach[] = [];
    for (const command of checkout.commands) breaches.push(...(await run(command, outside, listener)));
    return { breaches, checkout, folder: root };
  } finally {
    listener.close();
  }
}

export function removed(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Answers each request with a canary, and counts. */
class Listener {
  asked: string[] = [];
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  static async open(): Promise<Listener> {
    const server = createServer();
    const own = new Listener(server);
    server.on("connection", (socket) => {
      own.asked.push("a connection");
      socket.on("error", () => undefined);
      socket.once("data", (part) => {
        own.asked.push(part.toString("latin1").split("\r\n")[0]?.slice(0, 80) ?? "");
        const body = `leak: ${canaries.loopback}\n`;
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "::", resolve));
    return own;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  close(): void {
    this.server.close();
  }
}

function writeCheckout(checkout: HostileCheckout, outside: Outside): void {
  const { repo } = outside;
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", args, {
      cwd: repo,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
        HOME: "/nonexistent",
      },
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const commit = (): void => {
    git("add", "-A");
    git("-c", "user.name=t", "-c", "user.email=t@t.example", "commit", "-q", "--allow-empty", "-m", "x");
  };
  git("init", "-q", "-b", "main");
  for (const [path, text] of checkout.before) write(repo, path, text);
  commit();
  for (const path of checkout.before.keys()) if (!checkout.files.has(path)) unlinkSync(join(repo, path));
  for (const [path, text] of checkout.files) write(repo, path, text);
  for (const [path, target] of checkout.links) link(repo, path, target);
  for (const path of checkout.programs) chmodSync(join(repo, path), 0o755);
  commit();
  if (checkout.isWithoutBlobs) {
    const blobs = git("ls-tree", "-r", "HEAD^")
      .split("\n")
      .flatMap((line) => / blob (\w+)/.exec(line)?.[1] ?? []);
    for (const id of blobs) rmSync(join(repo, ".git/objects", id.slice(0, 2), id.slice(2)), { force: true });
  }
  for (const path of checkout.before.keys())
    if (checkout.files.has(path) && lstatSync(join(repo, path)).isFile())
      appendFileSync(join(repo, path), "\n");
  appendFileSync(join(repo, ".git/config"), [...checkout.config, ...gitSecrets, ""].join("\n"));
  for (const [path, text] of checkout.gitFiles) {
    write(join(repo, ".git"), path, text);
    chmodSync(join(repo, ".git", path), 0o755);
  }
}

/** As CI leaves them in a checkout. */
const gitSecrets = [
  '[remote "origin"]',
  `\turl = https://x-access-token:${canaries.git}@git.example/o/r.git`,
  '[http "https://git.example/"]',
  `\textraheader = AUTHORIZATION: basic ${canaries.git}`,
];

function write(folder: string, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** What a link is in the way of stays as it is. */
function link(folder: string, path: string, target: string): void {
  const own = join(folder, path);
  mkdirSync(dirname(own), { recursive: true });
  if (lstatSync(own, { throwIfNoEntry: false }) === undefined) symlinkSync(target, own);
}

interface Ended {
  readonly status: number | null;
  readonly text: string;
  readonly isLate: boolean;
}

function ended(command: readonly string[], outside: Outside): Promise<Ended> {
  const env = {
    PATH: `${outside.bin}:${tools}`,
    HOME: outside.home,
    TMPDIR: outside.temp,
    CI_TOKEN: canaries.env,
    VAULT_TOKEN: canaries.env,
    AWS_SECRET_ACCESS_KEY: canaries.env,
    AWS_ACCESS_KEY_ID: "AKIA",
    GITHUB_TOKEN: canaries.env,
  };
  const child = spawn(process.execPath, [program, ...command], {
    cwd: outside.repo,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => parts.push(part));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // With all that it started.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, mostMs);
  return new Promise((resolve) => {
    child.once("close", (status) => {
      clearTimeout(timer);
      resolve({ status, text: Buffer.concat(parts).toString("latin1"), isLate });
    });
  });
}

async function run(
  command: readonly string[],
  outside: Outside,
  listener: Listener,
): Promise<readonly Breach[]> {
  const before = around(outside);
  const { text, isLate } = await ended(command, outside);
  const shown = command.map((each) => each.replace(outside.root, "W")).join(" ");
  const breach = (law: string, detail: string): Breach => ({ law, command: shown, detail });
  const written = ["page.html", "comparison.html", "factored"].flatMap((name) =>
    textsBelow(join(outside.root, name)),
  );
  const all = [text, ...written].join("\n");
  const ran = existsSync(outside.ran) ? readFileSync(outside.ran, "utf8") : "";
  const left = readdirSync(outside.temp);
  const bug = /error\[bug\].*/.exec(text)?.[0];
  const found = [
    ...seenIn(all).map(([name, line]) => breach(`shows ${name}`, line)),
    ...(ran === "" ? [] : [breach(`runs ${ran.split(" ")[0]}`, ran.slice(0, 200))]),
    ...(listener.asked.length === 0 ? [] : [breach("connects", listener.asked.join("; "))]),
    ...(isLate ? [breach("does not end", "")] : []),
    ...(bug === undefined ? [] : [breach("bug", text.slice(text.indexOf(bug), text.indexOf(bug) + 600))]),
    ...controlsIn(text, command),
    ...(left.length === 0 ? [] : [breach("leaves temporary files", left.join(" "))]),
    ...(around(outside) === before ? [] : [breach("writes outside", "")]),
  ];
  for (const name of ["ran", "page.html", "comparison.html", "factored"])
    rmSync(join(outside.root, name), { recursive: true, force: true });
  for (const name of left) rmSync(join(outside.temp, name), { recursive: true, force: true });
  listener.asked = [];
  return found;
}

// C0 without tabs and line feeds, C1, what turns the direction of a text, and commands to a runner.
const inJson = new RegExp(String.raw`[\0-\x08\x0b-\x1f\x7f]`);
const inText = new RegExp(
  String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|^(?:##\[|::)`,
  "m",
);

/** What prints data prints it as it is; people read the rest. */
function controlsIn(latin: string, command: readonly string[]): readonly Breach[] {
  if (["values", "render", "fold"].includes(command[0] ?? "")) return [];
  const text = Buffer.from(latin, "latin1").toString("utf8");
  const isJson = command.includes("--json") || command.includes("json");
  const found = (isJson ? inJson : inText).exec(text);
  // They are what this form is made of.
  if (found === null || (found[0] === "::" && command.includes("github"))) return [];
  const detail = JSON.stringify(text.slice(Math.max(0, found.index - 80), found.index + 40));
  return [{ law: "prints controls", command: command.join(" "), detail }];
}

/** Canaries in a text, also in base64. */
function seenIn(text: string): readonly (readonly [string, string])[] {
  return Object.entries(canaries).flatMap(([name, word]) => {
    const forms = [word, word.replaceAll("-", "_"), ...base64Forms(word)];
    const at = forms.map((form) => text.indexOf(form)).find((index) => index >= 0);
    return at === undefined
      ? []
      : [[name, JSON.stringify(text.slice(Math.max(0, at - 160), at + 60))] as const];
  });
}

function base64Forms(word: string): readonly string[] {
  return [0, 1, 2].map((skip) => {
    const text = Buffer.from(`${"x".repeat(skip)}${word}`).toString("base64");
    return text.slice(skip === 0 ? 0 : 4, -4);
  });
}

/** All that is outside of the checkout, as one text. */
function around({ root, folder, home, bin }: Outside): string {
  const known = new Set(["page.html", "comparison.html", "factored", "ran"]);
  return [
    readdirSync(root)
      .filter((name) => !known.has(name))
      .join(" "),
    ...[folder, home, bin].flatMap((each) => textsBelow(each)),
  ].join("\n");
}

function textsBelow(path: string): readonly string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() === true) return [readFileSync(path, "latin1")];
  if (stat?.isDirectory() !== true) return [];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => [name, ...textsBelow(join(path, name))]);
}
