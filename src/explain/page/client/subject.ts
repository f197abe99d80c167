// What a page is about: an explanation, or a comparison. The screen has its lists, its search and the address; the
// subject fills them.
import type { Child } from "./dom.ts";
import type { Options } from "./options.ts";

/** What is in a list at the left, and has a view and an address of its own. */
export interface ListedSubject {
  readonly title: string;
  /** What it is one of, and its name there: a target in several clusters. */
  readonly within?: { readonly name: string; readonly as: string };
  readonly key?: string;
  readonly address: string;
  /** The class of its colour. */
  readonly look?: string;
}

export interface Subject {
  /** `valuefold explain` */
  readonly name: string;
  /** What can be searched for. */
  readonly hint: string;
  readonly lists: readonly ListedAll[];
  /** In place of everything, where there is nothing. */
  empty(): readonly Child[];
  /** What is counted: values, or paths. */
  readonly noun: string;
  find(query: string): SearchResult;
  show(listed: ListedSubject, view: View): readonly Child[];
}

export interface ListedAll {
  readonly name: string;
  /** One of them. */
  readonly noun: string;
  readonly all: readonly ListedSubject[];
}

export interface SearchResult {
  readonly hits: ReadonlyMap<ListedSubject, number>;
  /** In all of the first list. */
  readonly total: number;
}

/** What was chosen on the screen. */
export interface View {
  /** In lower case; empty for none. */
  readonly query: string;
  /** The address that the page was opened with. */
  readonly here: string;
  /** Id of the only layer with its values shown. */
  readonly isolated: string | undefined;
  readonly isolate: (id: string | undefined) => void;
  readonly options: Options;
  readonly choose: (next: Options) => void;
  /** Addresses of keys with their values hidden. */
  readonly collapsed: Set<string>;
  readonly collapseAll: (isCollapsed: boolean) => void;
}
