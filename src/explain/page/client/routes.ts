// Which part of the page an address means.
import type { Book } from "./book.ts";

export interface Route {
  readonly view: "target" | "layer";
  readonly index: number;
  /** The whole address, if it goes on into the target. */
  readonly value?: string;
  /** True if nothing has the address. */
  readonly isLost: boolean;
}

export class Routes {
  private readonly book: Book;
  private readonly byAddress = new Map<string, Route>();

  constructor(book: Book) {
    this.book = book;
    for (const view of ["target", "layer"] as const) {
      const all = view === "target" ? book.targets : book.sources;
      for (const [index, { address }] of all.entries())
        this.byAddress.set(address, { view, index, isLost: false });
    }
  }

  /** Without an address it is the first target. */
  of(hash: string): Route {
    const address = hash.replace(/^#/, "");
    if (address === "") return { view: "target", index: 0, isLost: false };
    const whole = this.byAddress.get(address);
    if (whole !== undefined) return whole;
    const target = this.byAddress.get(address.split("/").slice(0, 3).join("/"));
    return target === undefined ? { view: "target", index: -1, isLost: true } : { ...target, value: address };
  }

  titleOf({ view, index }: Route): string {
    const all = view === "target" ? this.book.targets : this.book.sources;
    return all[index]?.title ?? "Nothing";
  }
}
