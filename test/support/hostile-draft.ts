// A hostile checkout as it is written: its files, links and git settings, and the ways out of it that fields may name.
import { dirname, join, relative } from "node:path";
import type { Outside } from "./hostile-outside.ts";
import { Random } from "./nasty-yaml.ts";

export type Fields = Record<string, unknown>;

/** The URL of the checkout's own repository. */
export const ownUrl = "https://git.example/o/r.git";

export class Draft {
  readonly random: Random;
  readonly outside: Outside;
  readonly before = new Map<string, string>();
  readonly files = new Map<string, string | Uint8Array>();
  readonly links = new Map<string, string>();
  readonly programs = new Set<string>();
  readonly config: string[] = [];
  readonly gitFiles = new Map<string, string>();
  readonly attacks: string[] = [];
  readonly commands: string[][] = [];
  readonly places: string[] = [];
  isWithoutBlobs = false;
  /** Which attack of its scene is to come next. */
  turn: number | undefined;
  private count = 0;

  constructor(seed: number, outside: Outside) {
    this.random = new Random(seed);
    this.outside = outside;
  }

  /** The attack whose turn it is, or any. */
  attack(scene: string, all: Readonly<Record<string, unknown>>): string {
    const names = Object.keys(all);
    const name = this.turn === undefined ? this.random.pick(names) : names[this.turn];
    this.turn = undefined;
    if (name === undefined) throw new Error(`${scene} has ${names.length} attacks`);
    this.note(`${scene} ${name}`);
    return name;
  }

  both(path: string, text: string): void {
    this.before.set(path, text);
    this.files.set(path, text);
  }

  change(path: string, text: string | Uint8Array): void {
    this.files.set(path, text);
  }

  json(path: string, before: object, after: object): void {
    this.before.set(path, JSON.stringify(before, undefined, 1));
    this.files.set(path, JSON.stringify(after, undefined, 1));
  }

  next(prefix: string): string {
    return `${prefix}${++this.count}`;
  }

  /** A directory that commands may ask about. */
  place(prefix: string): string {
    const own = this.next(prefix);
    this.places.push(own);
    return own;
  }

  note(name: string): void {
    this.attacks.push(name);
  }

  /** A path, as a field in a file of `directory` writes it, to something that is not in the checkout. */
  out(directory: string, name: string): string {
    const { home, folder, repo } = this.outside;
    const ways = [
      () => join(this.random.pick([folder, home]), name),
      () => relative(join(repo, directory), join(folder, name)),
      () => this.link(directory, join(folder, name)),
      () => this.link(directory, relative(join(repo, directory), join(home, name))),
      () => this.link(directory, this.link(directory, join(folder, name))),
      () => join(this.link(directory, dirname(join(folder, name))), name.slice(name.lastIndexOf("/") + 1)),
      () => join(this.link(directory, folder), name),
      () => join(relative(directory, this.deep(folder)), name),
      () => join(this.link(directory, "/"), folder, name),
      () => `${this.link(directory, "..")}/${"../".repeat(8)}${join(folder, name).slice(1)}`,
      () => join("/proc/self/root", folder, name),
      () => join(this.link(directory, "/proc/self/cwd"), relative(repo, join(folder, name))),
      () => this.address(name),
    ];
    return this.random.pick(ways)();
  }

  /** The same, to a text: the environment or git's settings, too. */
  text(directory: string): string {
    const { repo } = this.outside;
    const ways = [
      () => "/proc/self/environ",
      () => this.link(directory, "/proc/self/environ"),
      () => this.link(directory, "/proc/thread-self/environ"),
      () => join(this.link(directory, "/proc/self"), "environ"),
      () => join(relative(directory, "."), ".git/config"),
      () => join(repo, ".git/config"),
      () => this.link(directory, join(relative(directory, "."), ".git/config")),
      () => join(this.link(directory, join(relative(directory, "."), ".git")), "config"),
      () => this.out(directory, "text"),
    ];
    return this.random.pick(ways)();
  }

  address(name: string): string {
    const { port, folder } = this.outside;
    const host = this.random.pick(["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1"]);
    return this.random.pick([
      `http://${host}:${port}/${name}`,
      `http://${host}:${port}/${name}`,
      `https://${host}:${port}/${name}`,
      `HTTP://${host}:${port}/${name}`,
      `git::http://${host}:${port}/r//${name}?ref=main`,
      `http://${host}:${port}/r.git//${name}?ref=main`,
      `ssh://git@${host}:${port}/r.git//${name}`,
      `git@${host}:r.git//${name}?ref=main`,
      `git://${host}:${port}/r.git//${name}`,
      `file://${folder}/${name}`,
      `git::file://${folder}//${name}`,
      `s3::http://${host}:${port}/${name}`,
      `oci://${host}:${port}/${name}`,
    ]);
  }

  link(directory: string, target: string): string {
    const name = this.random.pick(["", ".yaml", ".d"]);
    const own = `${this.next("link")}${name}`;
    this.links.set(join(directory, own), target);
    return own;
  }

  /** A link some levels down. */
  deep(target: string): string {
    const directory = ["deep", "a", "b", "c"].slice(0, 1 + this.random.below(4)).join("/");
    return join(directory, this.link(directory, target));
  }
}

/** Adds to a list of fields. */
export function push(own: Fields, field: string, value: unknown): void {
  const list: unknown = own[field];
  own[field] = [...(Array.isArray(list) ? (list as unknown[]) : []), value];
}
