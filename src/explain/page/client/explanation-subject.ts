// The page of an explanation: targets with their stacks and values, and layers with what they change.
import type { Explanation } from "../../../explanation.ts";
import type { FileLinks } from "../links.ts";
import { Book } from "./book.ts";
import { type Child, nothing } from "./dom.ts";
import { layerView } from "./layer-view.ts";
import { findAll } from "./search.ts";
import type { SearchResult, ListedSubject, ListedAll, Subject, View } from "./subject.ts";
import { targetView } from "./target-view.ts";

export class ExplanationSubject implements Subject {
  readonly name = "valuefold explain";
  readonly hint = "path, value, layer, file";
  readonly noun = "value";
  readonly lists: readonly ListedAll[];
  private readonly book: Book;

  constructor(explanation: Explanation, links?: FileLinks) {
    this.book = new Book(explanation, links);
    const { targets, sources } = this.book;
    this.lists = [
      { name: "Targets", noun: "target", all: targets },
      { name: "Layers", noun: "layer", all: sources },
    ];
  }

  empty(): readonly Child[] {
    return [nothing("There are no targets: nothing receives values.")];
  }

  find(query: string): SearchResult {
    return findAll(this.book, query);
  }

  show(listed: ListedSubject, view: View): readonly Child[] {
    const { book } = this;
    const chapter = book.targets.find((each) => each === listed);
    if (chapter !== undefined) return targetView(chapter, book, view);
    const source = book.sources.find((each) => each === listed);
    return source === undefined ? [] : layerView(source, book, view.query);
  }
}
