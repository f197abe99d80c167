// The functions that a kustomization names, and how kustomize runs each.
import type { Node } from "../../yaml/index.ts";
import { itemsIn, rootOf } from "../items.ts";

/** A function that a kustomization names. */
export interface KustomizeFunction {
  readonly kind: string;
  readonly name: string;
  readonly field: FunctionField;
  /** `builtin` is kustomize's own code; `plugin` a program of an older kind, or what a kustomization may make of any. */
  readonly runsAs: "exec" | "container" | "builtin" | "plugin";
  /** The program, or the image. */
  readonly program: string;
  /** What the program is called with. */
  readonly args: readonly string[];
  /** True if it is valuefold's fold. */
  readonly isFold: boolean;
  /** The file that has its settings. */
  readonly file: string;
  /** The document with its settings, after as many lines as are before it. */
  readonly text: Uint8Array;
}

export const functionFields = ["generators", "transformers", "validators"] as const;
export type FunctionField = (typeof functionFields)[number];

/** The functions of a file, or of an inline text. */
export function functionsOf(bytes: Uint8Array, field: FunctionField, file: string): KustomizeFunction[] {
  return itemsIn(bytes).map((item): KustomizeFunction => {
    const { kind, name, apiVersion } = item;
    const found = programOf(rootOf(item));
    const isPlugin = found.runsAs === "builtin" && apiVersion !== "builtin";
    const { runsAs, program, args } = isPlugin ? { ...found, runsAs: "plugin" as const } : found;
    const before = bytes.subarray(0, item.start).filter((byte) => byte === lineFeed);
    const text = Buffer.concat([before, bytes.subarray(item.start, item.end)]);
    const isFold =
      (kind === "ValueFold" && apiVersion.startsWith("valuefold.dev/")) ||
      (kind === "ConfigMap" && /(?:^|\/)valuefold(?:[:@.-][^/]*)?$/.test(program));
    return { kind, name, field, runsAs, program, args, isFold, file, text };
  });
}

const lineFeed = 0x0a;

const annotationNames = ["config.kubernetes.io/function", "config.k8s.io/function"];

/** How kustomize runs a function: its annotation says it. An image counts before a program. */
function programOf(config: Node | undefined): Pick<KustomizeFunction, "runsAs" | "program" | "args"> {
  const annotations = config?.get("metadata")?.get("annotations");
  const text = annotations && annotationNames.map((name) => annotations.textAt(name)).find(Boolean);
  const node = text === undefined ? undefined : rootOf(itemsIn(Buffer.from(text))[0]);
  if (node === undefined) return builtin;
  const [image, path] = [node.get("container")?.textAt("image"), node.get("exec")?.textAt("path")];
  if (image) return { runsAs: "container", program: image, args: [] };
  const exec = node.get("exec");
  // kustomize refuses an annotation with a field that it does not know.
  const isOdd = exec?.isMapping === true && exec.children().some(({ keyText }) => !execFields.has(keyText));
  if (!path || isOdd) return builtin;
  const args = exec && exec.get("args");
  const words = args?.plain(null);
  return { runsAs: "exec", program: path, args: Array.isArray(words) ? words.map(String) : [] };
}

const execFields: ReadonlySet<string> = new Set(["path", "args", "env", "workingDir"]);

const builtin = { runsAs: "builtin", program: "", args: [] } as const;
