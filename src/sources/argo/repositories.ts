// The repositories that Applications name → checkouts of them on this disk.
import { join } from "node:path";
import { plainUrl } from "../flux/sources.ts";
import type { Repository } from "../repository.ts";
import { existsSync } from "../disk.ts";

export interface FoundRepository {
  /** The top of its checkout. */
  readonly top: string;
  /** True if nothing but what is in it says that it is the one. */
  readonly isAssumed?: true;
}

export class Repositories {
  private readonly own: string;
  private readonly remotes: readonly string[];
  /** Checkouts that the user names, by URL. */
  private readonly named: ReadonlyMap<string, string>;

  constructor({ top, remotes }: Repository, named: ReadonlyMap<string, string>) {
    this.own = top;
    this.remotes = remotes.filter(isOnHost).map(plainUrl);
    this.named = new Map([...named].map(([url, directory]) => [plainUrl(url), directory]));
  }

  /** Undefined for one that is not here. @param paths what it must have, if no remote says which repository this is */
  find(url: string, paths: readonly string[]): FoundRepository | undefined {
    const plain = plainUrl(url);
    const named = this.named.get(plain);
    if (named !== undefined) return { top: named };
    if (this.remotes.includes(plain)) return { top: this.own };
    const isLikely = this.remotes.length === 0 && paths.every((path) => existsSync(join(this.own, path)));
    return isLikely ? { top: this.own, isAssumed: true } : undefined;
  }
}

function isOnHost(url: string): boolean {
  return /^(?:[a-z+]+:\/\/|[^/@]+@)[^/]/i.test(url) && !url.startsWith("file:");
}
