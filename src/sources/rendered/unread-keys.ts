// Keys of given values that a chart does not read, as the engine says → findings with the places where they are set.
import type { Diagnostic, Position } from "../../diagnostic.ts";
import { type ChartRelease, positionOf, type StackDocument, type UnreadPath } from "../../explain/index.ts";
import { grouped } from "../../grouped.ts";
import { leavesIn, treeOf } from "../helm/value-tree.ts";

/** Whose chart it is, and what Helm is given. */
export interface VerifiedRelease {
  readonly item: NonNullable<Diagnostic["item"]>;
  readonly release: ChartRelease;
}

export interface UnreadKey {
  readonly finding: Diagnostic;
  /** Of the first value below it. */
  readonly path: readonly string[];
  /** How many keys of that the finding names. */
  readonly length: number;
}

/** A file may be for several charts: what one of them reads is read. */
export class UnreadKeys {
  private readonly read = new Set<string>();
  private readonly unread = new Map<string, UnreadKey>();
  private readonly only: ReadonlySet<string> | undefined;

  /** @param only the values that are asked about, as `valueId` spells them; all without */
  constructor(only?: ReadonlySet<string>) {
    this.only = only;
  }

  /**
   * @param paths what the chart does not read of all values together
   * @param isPartly true where more values are only in the cluster, which may be templates that read any of these
   */
  async look(
    { item, release }: VerifiedRelease,
    paths: readonly (readonly string[])[],
    isPartly: boolean,
  ): Promise<void> {
    for (const document of release.given) {
      // Places in a Secret would show how long its values are.
      if (document.isSecret) continue;
      for (const { path, leaf } of leavesIn(treeOf(document))) {
        const place = leaf.at ?? document.at();
        const at = place && positionOf(place);
        const id = valueId(at, path);
        if (this.only?.has(id) === false) continue;
        const isUnread = paths.some((each) => each.every((key, index) => path[index] === key));
        if (!isUnread) this.read.add(id);
        if (!isUnread || this.unread.has(id)) continue;
        const known = await release.unread(path);
        const finding = { ...findingOf(known, release.chartName), item, ...(at && { at }) };
        if (!isUnsure(known, document, isPartly))
          this.unread.set(id, { finding, path, length: known.path.length });
      }
    }
  }

  /** The first place of a mapping that nothing reads is enough. */
  found(): readonly UnreadKey[] {
    const all = [...this.unread].flatMap(([id, each]) => (this.read.has(id) ? [] : [each]));
    const alike = grouped(all, ({ finding: { at, message } }) => `${at?.text} ${message}`);
    return [...alike.values()].flatMap(([first]) => first ?? []);
  }
}

export function valueId(at: Position | undefined, path: readonly string[]): string {
  return JSON.stringify([at, path]);
}

/** A mapping with an anchor may be there for its aliases. */
function isUnsure({ path, near }: UnreadPath, { root }: StackDocument, isPartly: boolean): boolean {
  const entry = path.reduce<typeof root>((at, key) => at?.value.entry(key), root);
  return entry?.isEntangled === true || (isPartly && near === undefined);
}

function findingOf({ path, near }: UnreadPath, chart: string): Diagnostic {
  const message = `the chart \`${chart}\` reads no \`${path.join(".")}\``;
  const at = near?.at === undefined ? "" : `, ${near.at}`;
  if (near === undefined)
    return { code: "unread-key", severity: "info", message, hint: "remove it, or correct it" };
  return { code: "unknown-key", severity: "warning", message, hint: `it reads \`${near.key}\`${at}` };
}
