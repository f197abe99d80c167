// Which part of the page an address means.
import type { ListedSubject, Subject } from "./subject.ts";

export interface Route {
  /** Number of the list. */
  readonly list: number;
  /** Undefined if nothing has the address. */
  readonly listed?: ListedSubject;
  /** The whole address, if it goes on into the target. */
  readonly value?: string;
}

export class Routes {
  private readonly first: ListedSubject | undefined;
  private readonly byAddress = new Map<string, Route>();

  constructor({ lists }: Subject) {
    this.first = lists[0]?.all[0];
    for (const [list, { all }] of lists.entries())
      for (const listed of all) this.byAddress.set(listed.address, { list, listed });
  }

  /** Without an address it is the first target. */
  of(hash: string): Route {
    const address = hash.replace(/^#/, "");
    if (address === "" && this.first !== undefined) return { list: 0, listed: this.first };
    const whole = this.byAddress.get(address);
    if (whole !== undefined) return whole;
    const target = this.byAddress.get(address.split("/").slice(0, 3).join("/"));
    return target === undefined ? { list: 0 } : { ...target, value: address };
  }
}
