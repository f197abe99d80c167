// What is wrong with the settings of a render: which field, and the cure. Never what was read: it may be a value.
import * as v from "valibot";
import {
  childOf,
  childrenOf,
  expectedIn,
  farAliases,
  keyText,
  type Node,
  textAt,
  twiceFaults,
  valueOf,
} from "../core/index.ts";
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { knownVersion, renderKind, renderKinds, resembled } from "./kinds.ts";
import { type Owner, ownerText } from "./owner.ts";

export type Outcome<T> = T | { readonly faults: readonly Diagnostic[] };

/** Of which document, and where in it. */
export interface Where {
  readonly kind: string;
  readonly root: string;
}

export function checked<S extends v.GenericSchema>(
  shape: S,
  plain: unknown,
  where: Where,
): Outcome<{ readonly output: v.InferOutput<S> }> {
  const outcome = v.safeParse(shape, plain ?? {});
  if (outcome.success) return { output: outcome.output };
  return { faults: outcome.issues.map((issue) => toDiagnostic(issue, shape, where, "invalid-setting")) };
}

export function toDiagnostic(
  issue: v.GenericIssue,
  shape: v.GenericSchema,
  { kind, root }: Where,
  code: Diagnostic["code"],
): Diagnostic {
  const path = (v.getDotPath(issue) ?? "").replaceAll(/(^|\.)(\d+)(?=\.|$)/g, "$1[$2]");
  const field = [root, path]
    .filter((each) => each !== "")
    .join(".")
    .replaceAll(".[", "[");
  const about = { severity: "error", field, at: { text: kind } } as const;
  if (issue.type === "strict_object" && issue.expected === "never") {
    const steps = (issue.path ?? []).map(({ key }) => key);
    const known = keysAt(shape, steps.slice(0, -1));
    const near = nearest(String(steps.at(-1)), known);
    const hint = near === undefined ? `here stand ${known.join(", ")}` : `did you mean \`${near}\`?`;
    const unknown = code === "invalid-setting" ? "unknown-setting" : code;
    return { ...about, code: unknown, message: `unknown field \`${field}\``, hint };
  }
  if (issue.type === "strict_object" && issue.received === "undefined")
    return { ...about, code, message: `\`${field}\` is missing`, hint: "add it" };
  const isOurs = ["regex", "check", "min_length", "custom", "union"].includes(issue.type);
  const message = isOurs ? issue.message : `expected ${expectedIn(issue)}`;
  const hint = issue.expected === "string" ? "a number or a boolean is text in quotes only" : "correct it";
  return { ...about, code, message: `${field === "" ? "the schema" : `\`${field}\``}: ${message}`, hint };
}

/** What an object of the shape may hold, at the end of a path. */
function keysAt(shape: unknown, path: readonly unknown[]): string[] {
  const unwrapped = inner(shape);
  const [step, ...rest] = path;
  const entries = partOf(unwrapped, "entries");
  if (path.length === 0) return Object.keys(entries ?? {});
  const next = typeof step === "number" ? partOf(unwrapped, "item") : partOf(entries, String(step));
  return keysAt(next, rest);
}

function inner(shape: unknown): unknown {
  const wrapped = partOf(shape, "wrapped");
  return wrapped === undefined ? shape : inner(wrapped);
}

function partOf(shape: unknown, name: string): unknown {
  return typeof shape === "object" && shape !== null ? (shape as Record<string, unknown>)[name] : undefined;
}

export const writeARender = `write apiVersion: valuefold.dev/${knownVersion} and kind: ${renderKind}`;

export const nothingToRender: Diagnostic = {
  code: "invalid-setting",
  severity: "error",
  message: `expected a document that asks for a render: ${renderKinds.map((each) => `\`${each}\``).join(", ")}`,
  hint: writeARender,
};

/** An error where a render may be meant: its objects would be left out, and pruned. */
export function anotherKind(document: Node): Diagnostic {
  const { isMeant, near } = resembled(document);
  const [version, kind] = [textAt(document, "apiVersion") ?? "", textAt(document, "kind") ?? ""];
  const hint =
    near === undefined || near === kind
      ? `a render is of apiVersion valuefold.dev/${knownVersion} and kind ${renderKind}; keep others in another file`
      : `did you mean \`${near}\`?`;
  return {
    code: "invalid-setting",
    severity: isMeant ? "error" : "warning",
    message: `a document of kind \`${kind}\`, apiVersion \`${version}\`, asks for no render`,
    at: { text: `${kind}/${textAt(childOf(document, "metadata") ?? document, "name") ?? ""}` },
    hint,
  };
}

export function anotherVersion(owner: Owner): Diagnostic {
  return {
    code: "invalid-setting",
    severity: "error",
    message: `valuefold knows ${knownVersion} of \`${owner.group}\` only`,
    field: "apiVersion",
    at: { text: ownerText(owner) },
    hint: `write apiVersion: ${owner.group}/${knownVersion}`,
  };
}

/** Fields beside `spec`: settings there would be ignored without a word. */
export function besideSpec(document: Node, owner: Owner): Diagnostic[] {
  const places = ["apiVersion", "kind", "metadata", "spec"];
  const known = owner.kind === renderKind ? places : [...places, "status"];
  return childrenOf(valueOf(document))
    .map(keyText)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = nearest(key, known);
      return {
        code: "unknown-setting",
        severity: "error",
        message: `unknown field \`${key}\``,
        field: key,
        at: { text: ownerText(owner) },
        hint: near === undefined ? "settings stand under `spec`" : `did you mean \`${near}\`?`,
      };
    });
}

/**
 * What keeps a document from being read at all: a few aliases may stand for millions of settings, and of a key that is
 * there twice one setting would be lost.
 */
export function unfitOf(document: Node, kind: string): Diagnostic[] {
  const far = farAliases(document);
  if (far !== undefined)
    return [
      {
        code: "invalid-setting",
        severity: "error",
        message: far.message,
        at: { text: kind },
        hint: "write the aliases out",
      },
    ];
  return twiceFaults(document, kind, "invalid-setting");
}

export function nameless(kind: string): Diagnostic {
  return {
    code: "invalid-setting",
    severity: "error",
    message: "the document has no `metadata.name`, which its objects are labelled with",
    field: "metadata.name",
    at: { text: kind },
    hint: "give it a name",
  };
}

export function nothingInScope({ kind }: Where): Diagnostic {
  return {
    code: "scope-empty",
    severity: "error",
    message: "nothing says what is rendered",
    at: { text: kind },
    hint: "write a `scope` with includes, or `instances` (iterations of a Konfiguration)",
  };
}

export function schemaMissing(name: string, { kind }: Where): Diagnostic {
  return {
    code: "invalid-schema",
    severity: "error",
    message: `no KonfigurationSchema \`${name}\` stands beside it`,
    at: { text: kind },
    hint: "put both into the file that `-c` names, with `---` between them",
  };
}

export const remoteSchema: Diagnostic = {
  code: "invalid-schema",
  severity: "error",
  message: "`spec.raw.remote.url`: valuefold reads no network",
  at: { text: "KonfigurationSchema" },
  hint: "put the schema's text under `spec.raw.content`",
};
