// What an edit does to files, as data, so that a life can be replayed with some edits left out. A step happens to both
// sides: to the sources, and to what is rendered from them.
import { type Change, changed, inserted, movedAll, withFile, without } from "./documents.ts";
import { appKey, entriesOf, keyOf, type List, sourceIndex } from "./places.ts";
import { type AppEntry, type Entry, type File, find, type Repository, type Settings } from "./repository.ts";

export type Step =
  | { readonly do: "put"; readonly file: File }
  | { readonly do: "remove"; readonly id: string }
  | { readonly do: "change"; readonly id: string; readonly changes: readonly Change[] }
  /** As a user finds it in what is rendered; the sources know nothing of it. */
  | { readonly do: "change-rendered"; readonly id: string; readonly changes: readonly Change[] }
  | { readonly do: "remove-rendered"; readonly id: string }
  | {
      readonly do: "insert";
      readonly id: string;
      readonly list: List;
      readonly entry: Entry;
      readonly at: number;
    }
  | { readonly do: "drop"; readonly id: string; readonly list: List; readonly entry: Entry }
  | { readonly do: "priority"; readonly id: string; readonly entry: AppEntry; readonly priority: number }
  /** Everything in a namespace goes into another, as kpt's set-namespace or `sed` does it. */
  | { readonly do: "move"; readonly from: string; readonly to: string }
  | { readonly do: "set"; readonly settings: Settings };

export interface Edit {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Where nothing is kept of a render, the two sides are one. */
export interface Pair {
  readonly sources: Repository;
  readonly rendered: Repository;
}

/** Both sides after an edit; undefined where it does not apply. */
export function applyEdit(pair: Pair, { steps }: Edit): Pair | undefined {
  return steps.reduce<Pair | undefined>(
    (done, step) => (done === undefined ? undefined : applyStep(done, step)),
    pair,
  );
}

function applyStep(pair: Pair, step: Step): Pair | undefined {
  const { sources, rendered } = pair;
  switch (step.do) {
    case "put":
      return both(pair, (side) => withFile(side, step.file));
    case "remove":
      return both(pair, (side) => without(side, step.id));
    case "change":
      return both(pair, (side) => changed(side, step.id, step.changes));
    case "change-rendered":
      return onRendered(pair, changed(rendered, step.id, step.changes));
    case "remove-rendered":
      return onRendered(pair, without(rendered, step.id));
    case "insert":
      return insert(pair, step);
    case "drop":
      return both(pair, (side) => dropped(side, step.id, step.list, step.entry));
    case "priority":
      return prioritised(pair, step);
    case "move":
      return both(pair, (side) => movedAll(side, step.from, step.to));
    case "set":
      return both({ sources, rendered }, (side) => ({
        ...side,
        settings: { ...side.settings, ...step.settings },
      }));
  }
}

function both(
  { sources, rendered }: Pair,
  change: (side: Repository) => Repository | undefined,
): Pair | undefined {
  const [a, b] = [change(sources), change(rendered)];
  return a === undefined || b === undefined ? undefined : { sources: a, rendered: b };
}

function onRendered({ sources }: Pair, rendered: Repository | undefined): Pair | undefined {
  return rendered === undefined ? undefined : { sources, rendered };
}

function insert(pair: Pair, step: Extract<Step, { do: "insert" }>): Pair | undefined {
  const { id, list, entry } = step;
  const at = Math.min(step.at, entriesOf(pair.rendered, id, list).length);
  const index = sourceIndex(pair.sources, pair.rendered, { id, list, entry, at });
  if (index === undefined) return undefined;
  const sources = inserted(pair.sources, id, list, entry, index);
  const rendered = inserted(pair.rendered, id, list, entry, at);
  return sources === undefined || rendered === undefined ? undefined : { sources, rendered };
}

function dropped(side: Repository, id: string, list: List, entry: Entry): Repository | undefined {
  const index = indexIn(side, id, list, entry);
  return index < 0 ? undefined : changed(side, id, [[["spec", list, index]]]);
}

function indexIn(side: Repository, id: string, list: List, entry: Entry): number {
  const home = find(side, id)?.metadata.namespace;
  const key = keyOf(list, entry, home);
  return entriesOf(side, id, list).findIndex((each) => keyOf(list, each, home) === key);
}

/** A new priority moves an entry among others of equal priority: where it stands tells which. */
function prioritised(
  { sources, rendered }: Pair,
  { id, entry, priority }: Extract<Step, { do: "priority" }>,
): Pair | undefined {
  const home = find(sources, id)?.metadata.namespace;
  const at = indexIn(rendered, id, "extraConfigs", entry);
  const [a, b] = [dropped(sources, id, "extraConfigs", entry), dropped(rendered, id, "extraConfigs", entry)];
  if (a === undefined || b === undefined) return undefined;
  const next: AppEntry = { ...entry, priority };
  if (appKey(next, home) === appKey(entry, home)) return undefined;
  return insert({ sources: a, rendered: b }, { do: "insert", id, list: "extraConfigs", entry: next, at });
}
