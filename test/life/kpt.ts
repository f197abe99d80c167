// How kpt runs the function: every file is an item with kpt's annotations (the bytes of a captured `kpt fn render`), and
// what comes back is written to files again, in the order of their paths.
import { isMap, type Pair, parseDocument, type Scalar, type YAMLMap } from "yaml";
import { type File, objectOf, type Repository, type Settings } from "./repository.ts";

const bookkeeping =
  /(?:internal\.config\.kubernetes\.io\/[\w-]+|config\.kubernetes\.io\/(?:index|path)|config\.k8s\.io\/id): *(?:'[^'\n]*'|"[^"\n]*"|[^\s,}]+)/
    .source;
const pathNote = "internal.config.kubernetes.io/path";

export function kptInput({ files, settings }: Repository): string {
  const meta: File[] = [
    { path: "Kptfile", text: "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n" },
  ];
  const all = [...meta, ...inOrder(files)].map(({ path, text }, at) => annotated(text, notes(path, at)));
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${all.map(asItem).join("")}${functionConfig(settings)}`;
}

/** kpt walks a package in the order of its paths. */
export function inOrder(files: readonly File[]): File[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function notes(path: string, at: number): string[] {
  return [
    `config.kubernetes.io/index: '0'`,
    `config.kubernetes.io/path: '${path}'`,
    `internal.config.kubernetes.io/index: '0'`,
    `internal.config.kubernetes.io/package-path: '/pkg'`,
    `internal.config.kubernetes.io/path: '${path}'`,
    `internal.config.kubernetes.io/seqindent: 'compact'`,
    `internal.config.kubernetes.io/annotations-migration-resource-id: '${at}'`,
    `internal.config.kubernetes.io/id: '${at + 1}'`,
    `config.k8s.io/id: '${at + 1}'`,
  ];
}

/** The text of an item with annotations put in, every other byte as it was. */
function annotated(text: string, lines: readonly string[]): string {
  const document = parseDocument(text, { logLevel: "silent" });
  const metadata = document.get("metadata", true) as YAMLMap;
  const found = document.getIn(["metadata", "annotations"], true);
  const inner = isMap(found) ? found : undefined;
  const host = inner ?? metadata;
  const [start = 0] = host.range ?? [];
  if (host.flow === true) {
    const body = lines.join(", ");
    const rest = host.items.length === 0 ? "" : ", ";
    const put = inner === undefined ? `annotations: {${body}}${rest}` : `${body}${rest}`;
    return `${text.slice(0, start + 1)}${put}${text.slice(start + 1)}`;
  }
  const first = (host.items[0] as Pair<Scalar>).key.range?.[0] ?? start;
  const column = first - (text.lastIndexOf("\n", first - 1) + 1);
  const pad = " ".repeat(column);
  const put =
    inner === undefined
      ? `annotations:\n${lines.map((line) => `${pad}  ${line}\n`).join("")}${pad}`
      : `${lines.join(`\n${pad}`)}\n${pad}`;
  return `${text.slice(0, first)}${put}${text.slice(first)}`;
}

export function asItem(text: string): string {
  return `- ${ended(text)
    .slice(0, -1)
    .replaceAll(/\n(?=.)/g, "\n  ")}\n`;
}

export function functionConfig({ layers, unseen, name, hashSuffix, onTie }: Settings): string {
  const output = {
    ...(name === undefined ? {} : { name }),
    ...(hashSuffix === undefined ? {} : { hashSuffix }),
  };
  const spec = {
    ...(layers === undefined || layers === "unset" ? {} : { layers }),
    ...(onTie === undefined ? {} : { onTie }),
    ...(unseen === undefined ? {} : { app: { unseen } }),
    ...(Object.keys(output).length === 0 ? {} : { output }),
  };
  return `functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  metadata:\n    name: fold\n  spec: ${JSON.stringify(spec)}\n`;
}

/** A text without empty lines at its end, unless they may be content. */
function ended(text: string): string {
  return text.replace(/[|>]\d*\+/.test(text) ? /\n?$/ : /\n*$/, "\n");
}

/** The texts of a list's items. */
export function itemTexts(output: string): string[] {
  const body = itemsPart(output);
  return body
    .split(/^-[ \n]/m)
    .slice(1)
    .map((text) => text.replaceAll(/^ {2}/gm, ""));
}

/** What stands between `items:` and the next field of the list. */
export function itemsPart(output: string): string {
  const start = output.search(/^items:/m);
  const rest = output.slice(output.indexOf("\n", start) + 1);
  const end = rest.search(/^(?:functionConfig|results):/m);
  return end < 0 ? rest : rest.slice(0, end);
}

/** Files as kpt writes them: each item at its path, without kpt's own annotations, with the comment that headed it. */
export function kptFiles(output: string, before: readonly File[]): File[] {
  const heads = new Map(before.map(({ path, text }) => [path, /^(?:#.*\n)*/.exec(text)?.[0] ?? ""]));
  const files = itemTexts(output).map((text): File => {
    const object = objectOf({ text });
    const path = object.metadata.annotations?.[pathNote];
    const byDefault = `${object.kind.toLowerCase()}_${object.metadata.name}.yaml`;
    const head = heads.get(path ?? "") ?? "";
    const bare = ended(stripped(text));
    return { path: path ?? byDefault, text: bare.startsWith(head) ? bare : head + bare };
  });
  return files.filter(({ path }) => path !== "Kptfile");
}

function stripped(text: string): string {
  const bare = text
    .replaceAll(new RegExp(String.raw`\n *${bookkeeping}(?=\n)`, "g"), "")
    .replaceAll(new RegExp(`${bookkeeping}(?:, )?`, "g"), "");
  const annotations = objectOf({ text: bare }).metadata.annotations;
  // A tag without a value is read as an empty text.
  const isEmpty = annotations !== undefined && Object.keys(annotations ?? {}).length === 0;
  return isEmpty
    ? bare.replace(
        /\n *"?annotations"?:(?: *(?:!!map|&\w+|\{ *\}|#.*))* *(?=\n)|"?annotations"?: \{ *\}(?:, )?/,
        "",
      )
    : bare;
}

/** Two items in one file: kpt refuses them. */
export function sharedPath(files: readonly File[]): string | undefined {
  const seen = new Set<string>();
  return files.find(({ path }) => seen.size === seen.add(path).size)?.path;
}
