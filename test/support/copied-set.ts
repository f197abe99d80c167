// Values files that were copied from each other and edited since: a tree, copies of it with some values changed, dropped, added
// or moved, each written with its own comments, anchors, brackets and indentation. Seeded; every file is valid YAML.
import type { Random } from "./nasty-yaml.ts";

type Tree = string | Mapping | List;
type Mapping = Map<string, Tree>;
/** Elements that `name` tells apart, or any. */
interface List {
  readonly items: readonly Tree[];
}

const scalars =
  `1;1.0;"1";0x10;16;yes;true;"true";no;~;null;;"";'';0755;"0755";1e3;a;"a";'b';a b;\${x};"\${x}";$(A);p$(B)q;2020-01-01;é;[];{};[1, 2];{p: 1, q: 2};|#t1#t2;>-#f1#f2;|+#k##`.split(
    ";",
  );
const keys = ["a", "b", "c", "d", "e", "f", "on", "x-y", "g"];
const names = ["A", "B", "C", "D", "E", "F", "G"];

export function copiedSet(random: Random): string[] {
  const tree = mapping(random, 2 + random.below(2));
  const count = 2 + random.below(4);
  return Array.from({ length: count }, () => {
    const own = random.once(6) ? mapping(random, 2) : edited(tree, random, 3);
    return new Writer(random).document(own);
  });
}

function value(random: Random, depth: number): Tree {
  if (depth > 0 && random.once(3)) return mapping(random, depth - 1);
  return depth > 0 && random.once(3) ? list(random, depth - 1) : random.pick(scalars);
}

function mapping(random: Random, depth: number): Mapping {
  const found = new Map<string, Tree>();
  for (let left = random.below(4); left >= 0; left--) found.set(random.pick(keys), value(random, depth));
  return random.once(20) ? new Map() : found;
}

/** Longer ones save more by a rule than they cost. */
function list(random: Random, depth: number): List {
  const own = names.filter(() => !random.once(3));
  const items = own.map((name) => element(name, random, depth));
  if (!random.once(3)) return { items: random.once(3) ? items.toReversed() : items };
  return { items: own.slice(0, 3).map(() => value(random, 0)) };
}

function element(name: string, random: Random, depth: number): Tree {
  const rest = [...mapping(random, depth)];
  return new Map(random.once(4) ? [...rest, ["name", name]] : [["name", name], ...rest]);
}

/** A copy with a few changes. */
function edited(tree: Tree, random: Random, depth: number): Tree {
  if (random.once(30)) return value(random, Math.min(1, depth));
  if (typeof tree === "string") return tree;
  if (!(tree instanceof Map)) {
    const kept = tree.items.filter(() => !random.once(12)).map((item) => editedItem(item, random, depth));
    const more = random.once(8) ? [element(`N${random.below(3)}`, random, 0)] : [];
    return { items: random.once(12) ? [...kept, ...more].toReversed() : [...kept, ...more] };
  }
  const entries = [...tree].filter(() => !random.once(30));
  const copy = new Map(entries.map(([key, each]) => [key, edited(each, random, depth - 1)]));
  if (random.once(14)) copy.set(random.pick(keys), value(random, 1));
  return random.once(16) ? new Map([...copy].toReversed()) : copy;
}

/** An element keeps its name. */
function editedItem(item: Tree, random: Random, depth: number): Tree {
  const copy = edited(item, random, depth - 1);
  const name = item instanceof Map ? item.get("name") : undefined;
  return copy instanceof Map && name !== undefined ? copy.set("name", name) : item;
}

class Writer {
  private readonly random: Random;
  private readonly step: number;
  private readonly dash: number;
  /** What a name stands for: aliases are written for equal values only. */
  private readonly anchors = new Map<string, string>();
  private readonly hasAnchors: boolean;

  constructor(random: Random) {
    this.random = random;
    this.step = random.once(4) ? 4 : 2;
    this.dash = random.once(2) ? 0 : 2;
    this.hasAnchors = random.once(3);
  }

  document(tree: Tree): string {
    const head = this.random.once(6) ? "# head\n\n" : "";
    if (!(tree instanceof Map) || tree.size === 0) return `${head}a: 1\n`;
    return head + this.members(tree, 0) + (this.random.once(10) ? "# foot\n" : "");
  }

  private members(tree: Mapping, column: number): string {
    const pad = " ".repeat(column);
    return [...tree]
      .map(([key, each]) => this.note(pad) + pad + key + ":" + this.inner(each, column))
      .join("");
  }

  private note(pad: string): string {
    const blank = this.random.once(12) ? "\n" : "";
    return this.random.once(9) ? `${blank}${pad}# note ${this.random.below(9)}\n` : blank;
  }

  /** What follows a colon or a dash, to the end of its lines. */
  private inner(tree: Tree, column: number): string {
    const flat = flow(tree);
    const known = this.anchors.get(flat);
    if (known !== undefined && this.random.once(2)) return ` *${known}\n`;
    const name = `n${this.random.once(8) ? 0 : this.anchors.size}`;
    const isNamed = this.hasAnchors && this.random.once(5) && flat !== "";
    const anchor = isNamed ? ` &${name}` : "";
    const text = this.valueText(tree, flat, column);
    if (isNamed) {
      for (const [each, other] of this.anchors) if (other === name) this.anchors.delete(each);
      this.anchors.set(flat, name);
    }
    return anchor + text;
  }

  private valueText(tree: Tree, flat: string, column: number): string {
    const end = this.random.once(10) ? ` # on ${this.random.below(9)}\n` : "\n";
    if (typeof tree === "string") {
      if (!tree.includes("#")) return ` ${tree}`.trimEnd() + end;
      const [header = "", ...lines] = tree.split("#");
      return ` ${header}\n${lines.map((line) => (line === "" ? "\n" : `${" ".repeat(column + 2)}${line}\n`)).join("")}`;
    }
    if (typeof tree !== "string" && !/[#$]/.test(flat) && this.random.once(8)) return ` ${flat}${end}`;
    if (tree instanceof Map)
      return tree.size === 0 ? ` {}${end}` : end + this.members(tree, column + this.step);
    const inner = column + this.dash;
    if (tree.items.length === 0) return ` []${end}`;
    return end + tree.items.map((item) => this.item(item, inner)).join("");
  }

  private item(tree: Tree, column: number): string {
    const pad = " ".repeat(column);
    if (!(tree instanceof Map) || tree.size === 0) return `${pad}-${this.inner(tree, column)}`;
    return `${this.note(pad)}${pad}- ${this.members(tree, column + 2)
      .trimStart()
      .replace(/^#.*\n\s*/, "")}`;
  }
}

/** The tree on one line; texts over lines as they are. */
function flow(tree: Tree): string {
  if (typeof tree === "string") return tree;
  if (tree instanceof Map)
    return `{${[...tree].map(([key, each]) => `${key}: ${flow(each) || "~"}`).join(", ")}}`;
  return `[${tree.items.map((each) => flow(each) || "~").join(", ")}]`;
}
