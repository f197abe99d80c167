// The annotations on layers and targets: their values, and what is wrong with them.
import { Mark, ownPrefix, isNode, type Item, atItem, placeOf } from "../../krm/index.ts";
import { type Diagnostic, nearest } from "../../diagnostic.ts";
import { parseObject } from "../../object-id.ts";
import { resolvePlain } from "../../yaml/index.ts";
import { factsOf, kindNames, type TargetKind } from "../../kinds.ts";

export interface Wish {
  readonly kind: TargetKind;
  readonly namespace: string | undefined;
  readonly name: string;
}

const ownAnnotations = [
  "into",
  "priority",
  "key",
  "format",
  "keep",
  "kept",
  "fold",
  "folded-from",
  "folded-keys",
  "folded-references",
  "rendered-from",
  "repeated-for",
  "repeated-from",
  "repeated-lists",
  "template-of",
];

/** Those that users write. */
const writable = ["into", "priority", "key", "format", "keep", "fold"];

/** The values of annotations with a closed set. */
const choices: { readonly [name: string]: readonly string[] } = {
  keep: ["true", "false"],
  fold: ["true", "false"],
  format: ["yaml", "json", "text"],
};

/** Misspelt annotations of ours, and flags that are neither true nor false: they would silently be ignored. */
export function unknownAnnotations(item: Item): Diagnostic[] {
  if (item.annotations.size === 0) return [];
  const alone = ["priority", "key"].filter((name) => item.annotations.has(`valuefold.dev/${name}`));
  const isLayer = item.annotations.has(Mark.into) || alone.length === 0 || intoOfAnotherKind(item).length > 0;
  const idle = isLayer ? [] : alone.map((name) => idleAnnotation(item, name));
  return [
    ...idle,
    ...[...item.annotations].flatMap(([annotation, value]) => unknownAnnotation(item, annotation, value)),
  ];
}

/** `into` where it is a list or a mapping: a glance at the item passes over it. */
export function intoOfAnotherKind(item: Item): Diagnostic[] {
  const root = item.read();
  const metadata = isNode(root) ? root.get("metadata") : undefined;
  const annotations = metadata?.get("annotations");
  const value = annotations?.get(Mark.into);
  if (value === undefined || value.value.isScalar) return [];
  const got = value.value.isMapping ? "a mapping" : "a list";
  const message = `\`${Mark.into}\`: expected a string, got ${got}`;
  const fault = annotationFault(
    item,
    "into",
    message,
    "write `Kind/name`, several by commas: annotations are text",
  );
  return [{ ...fault, at: { ...placeOf(item), offset: value.offset } }];
}

function idleAnnotation(item: Item, name: string): Diagnostic {
  const message = `\`valuefold.dev/${name}\` has no effect without \`valuefold.dev/into\``;
  return { ...annotationFault(item, name, message, "name a target, or take it away"), severity: "warning" };
}

function unknownAnnotation(item: Item, annotation: string, value: string): Diagnostic[] {
  if (!annotation.startsWith(ownPrefix)) return lookalike(item, annotation);
  const name = annotation.slice(ownPrefix.length);
  if (!ownAnnotations.includes(name)) {
    const near = nearest(name, ownAnnotations);
    const known = writable.map((each) => `\`${each}\``).join(", ");
    const hint =
      near === undefined ? `the annotations are ${known}` : `did you mean \`valuefold.dev/${near}\`?`;
    return [annotationFault(item, name, `unknown annotation \`${annotation}\``, hint)];
  }
  const choice = choices[name];
  if (choice === undefined || choice.includes(value)) return [];
  const wanted = choice.map((each) => `\`"${each}"\``).join(" or ");
  return [
    annotationFault(item, name, `\`${annotation}\`: expected ${wanted}`, "write one of these, in lower case"),
  ];
}

/** One of our names under a domain that looks like ours: no program reads it. */
function lookalike(item: Item, annotation: string): Diagnostic[] {
  if (!/^val/i.test(annotation)) return [];
  const [domain = "", name = ""] = annotation.split("/");
  if (!writable.includes(name) || !/^val(?:ue)?[-._]?fold/i.test(domain)) return [];
  const message = `\`${annotation}\` is not an annotation of valuefold`;
  const hint = `write \`valuefold.dev/${name}\``;
  const field = `metadata.annotations[${annotation}]`;
  return [{ ...annotationFault(item, name, message, hint), severity: "warning", field }];
}

/** Our annotations written as labels, which valuefold does not read. */
export function labelsTakenForAnnotations(item: Item, labels: ReadonlyMap<string, string>): Diagnostic[] {
  return [...labels.keys()]
    .filter((label) => label.startsWith(ownPrefix) && !label.startsWith(Mark.owner))
    .map((label) => {
      const message = `\`${label}\` is a label, and valuefold reads only annotations`;
      const fault = annotationFault(item, label, message, "write it under `metadata.annotations`");
      return { ...fault, severity: "warning", field: `metadata.labels[${label}]` };
    });
}

export function parseWish(text: string): Wish | string {
  const { kind: kindName, namespace, name } = parseObject(text);
  if (!kindName || namespace === "" || name === "") return `expected \`Kind/name\`, got \`${text}\``;
  const kind = factsOf(kindName);
  if (kind === undefined) {
    const near = nearest(kindName, kindNames);
    const expected = (near === undefined ? kindNames : [near]).map((each) => `\`${each}\``).join(", ");
    return `expected a kind of target (${expected}), got \`${kindName}\``;
  }
  return { kind, namespace, name };
}

export function priorityOf(item: Item, kind: TargetKind, diagnostics: Diagnostic[]): number {
  const own = item.annotations.get(Mark.priority);
  const text = own ?? item.annotations.get(Mark.priorityBefore);
  if (text === undefined) return kind.defaultPriority;
  const name = own === undefined ? Mark.priorityBefore : Mark.priority;
  const { type } = resolvePlain(text);
  const priority = type === "int" && /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (priority >= 1 && priority <= kind.maxPriority) return priority;
  diagnostics.push({
    code: "invalid-priority",
    severity: "error",
    ...atItem(item),
    field: `metadata.annotations[${name}]`,
    message: `\`${name}\`: expected a whole number from 1 to ${kind.maxPriority}, got \`${text}\``,
    hint:
      priority > kind.maxPriority && kind.above !== undefined
        ? kind.above
        : `correct the annotation \`${name}\`, or drop it for the default ${kind.defaultPriority}`,
  });
  return kind.defaultPriority;
}

export function annotationFault(item: Item, name: string, message: string, hint: string): Diagnostic {
  const field = `metadata.annotations[valuefold.dev/${name}]`;
  return {
    code: "invalid-annotation",
    severity: "error",
    ...atItem(item),
    field,
    message,
    hint,
  };
}
