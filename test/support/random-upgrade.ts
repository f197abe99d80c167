// Random pairs of charts: keys that the second one adds, renames, removes, retypes, reads in other fields or in a subchart, gives another
// default, or leaves alone; and the values of a user. Each key has fields of its own.
const changes = [
  "kept",
  "kept",
  "renamed",
  "removed",
  "retyped",
  "moved",
  "other-default",
  "other-text",
  "to-subchart",
  "unread",
  "added",
] as const;
type Change = (typeof changes)[number];

const uses = ["carried", "quoted", "condition", "helper", "handed-on", "list", "all-of-a-mapping"] as const;
type Use = (typeof uses)[number];

interface UpgradedKey {
  readonly path: readonly string[];
  readonly change: Change;
  readonly isSet: boolean;
  readonly use: Use;
}

export interface RandomUpgrade {
  /** Files of both charts, below `old/` and `new/`. */
  readonly files: ReadonlyMap<string, string>;
  readonly user: Tree;
  readonly keys: readonly UpgradedKey[];
}

interface Tree {
  [key: string]: unknown;
}

interface Drawn extends UpgradedKey {
  readonly value: unknown;
}

/** Templates and defaults of a chart. */
class Draft {
  readonly defaults: Tree = {};
  readonly lines: string[] = [];
  readonly below: string[] = [];
}

type Random = (below: number) => number;

export function randomUpgrade(next: () => number): RandomUpgrade {
  const random: Random = (below) => Math.floor(next() * below);
  const keys = Array.from({ length: 6 + random(6) }, (_, number) => drawn(number, random));
  const [old, now] = [new Draft(), new Draft()];
  const user: Tree = {};
  for (const [number, key] of keys.entries()) {
    addOld(old, key, number);
    addNew(now, key, number);
    if (key.isSet) put(user, key.path, otherValue(key.value));
  }
  for (let stray = random(3); stray > 0; stray--) put(user, ["stray", `s${stray}`], stray);
  const version = (number: number): string =>
    `apiVersion: v2\nname: shop\nversion: ${number}.0.0\ndependencies: [{name: sub, version: 1.0.0}]\n`;
  const files = new Map<string, string>();
  for (const [folder, draft, number] of [["old", old, 1] as const, ["new", now, 2] as const]) {
    files.set(`${folder}/Chart.yaml`, version(number));
    files.set(`${folder}/values.yaml`, JSON.stringify(draft.defaults));
    files.set(`${folder}/templates/a.yaml`, `kind: A\nmetadata: {name: a}\n${draft.lines.join("")}`);
    files.set(`${folder}/templates/_h.tpl`, '{{- define "own" }}{{ .value }}-own{{ end }}');
    files.set(`${folder}/charts/sub/Chart.yaml`, "apiVersion: v2\nname: sub\nversion: 1.0.0\n");
    files.set(
      `${folder}/charts/sub/templates/b.yaml`,
      `kind: B\nmetadata: {name: b}\n${draft.below.join("")}`,
    );
  }
  return { files, user, keys };
}

function drawn(number: number, random: Random): Drawn {
  const use = uses[random(uses.length)] as Use;
  const change = changes[random(changes.length)] as Change;
  const values = {
    carried: number,
    quoted: `text${number}`,
    condition: true,
    helper: `part${number}`,
    "handed-on": `handed${number}`,
    list: [`element${number}`],
    "all-of-a-mapping": `inner${number}`,
  };
  const path = random(3) === 0 ? [`group${random(2)}`, `key${number}`] : [`key${number}`];
  const own = use === "all-of-a-mapping" ? [...path, "inner"] : path;
  return { path: own, change, isSet: random(3) > 0, use, value: values[use] };
}

function addOld(draft: Draft, { path, use, value, change }: Drawn, number: number): void {
  if (change === "added") return;
  put(draft.defaults, path, value);
  draft.lines.push(lineFor(use, path, `f${number}`));
}

function addNew(draft: Draft, { path, use, value, change }: Drawn, number: number): void {
  const renamed = [...path.slice(0, -1), `${path.at(-1)}New`];
  switch (change) {
    case "kept":
    case "added":
      put(draft.defaults, path, value);
      draft.lines.push(lineFor(use, path, `f${number}`));
      return;
    case "renamed":
      put(draft.defaults, renamed, value);
      draft.lines.push(lineFor(use === "all-of-a-mapping" ? "carried" : use, renamed, `f${number}`));
      return;
    case "removed":
      return;
    case "unread":
      put(draft.defaults, path, value);
      return;
    case "retyped":
      put(draft.defaults, path, {});
      draft.lines.push(`f${number}: "{{ ${read(path)}.part }}"\n`);
      return;
    case "moved":
      put(draft.defaults, path, value);
      draft.lines.push(lineFor(use, path, `g${number}`));
      return;
    case "other-default":
      put(draft.defaults, path, otherDefault(value));
      draft.lines.push(lineFor(use, path, `f${number}`));
      return;
    case "other-text":
      put(draft.defaults, path, value);
      draft.lines.push(lineFor(use, path, `f${number}`, "x"));
      return;
    case "to-subchart":
      put(draft.defaults, ["sub", ...path], value);
      draft.below.push(lineFor(use === "helper" ? "carried" : use, path, `f${number}`));
  }
}

function read(path: readonly string[]): string {
  return `.Values.${path.join(".")}`;
}

function lineFor(use: Use, path: readonly string[], field: string, text = ""): string {
  const value = read(path);
  switch (use) {
    case "carried":
      return `${field}: ${text}{{ ${value} }}\n`;
    case "quoted":
      return `${field}: {{ printf "${text}%v" ${value} | quote }}\n`;
    case "condition":
      return `{{- if ${value} }}\n${field}: on${text}\n{{- end }}\n`;
    case "helper":
      return `${field}: {{ include "own" (dict "value" ${value}) }}${text}\n`;
    case "handed-on":
      return `${field}: ${text}{{ tpl (print ${value}) . }}\n`;
    case "list":
      return `${field}:\n{{- range ${value} }}\n- ${field}${text}-{{ . }}\n{{- end }}\n`;
    case "all-of-a-mapping":
      return `${field}${text}: {{ toJson ${read(path.slice(0, -1))} }}\n`;
  }
}

function put(tree: Tree, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const inner = typeof tree[key] === "object" ? (tree[key] as Tree) : {};
  tree[key] = inner;
  put(inner, rest, value);
}

/** Of the same type, and in no default. */
export function otherValue(value: unknown): unknown {
  if (typeof value === "number") return value + 100;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return [...value.map((each) => `${each}-mine`), "more"];
  return `${String(value)}-mine`;
}

function otherDefault(value: unknown): unknown {
  if (typeof value === "number") return value + 10;
  if (typeof value === "boolean") return !value;
  return Array.isArray(value) ? [] : `${String(value)}-new`;
}
