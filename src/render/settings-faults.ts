// What is wrong with the settings of a render: which field, and the cure. Never what was read: it may be a value.
import * as v from "valibot";
import { farAliases, type Node } from "../yaml/index.ts";
import type { Report } from "../report/index.ts";
import { twiceFaults, wrongFields } from "../settings/index.ts";
import { type Diagnostic, meantOr, nearest } from "../diagnostic.ts";
import { knownVersion, type Owner, ownerText, renderKind, renderKinds, resembled } from "./kinds.ts";
import { errorAt } from "./faults.ts";

/** A document, the path in it that settings begin at, and who gets their faults. */
export interface SettingsPlace {
  readonly kind: string;
  readonly root: string;
  readonly report: Report;
}

/** Undefined for what does not have the shape. */
export function checked<S extends v.GenericSchema>(
  shape: S,
  plain: unknown,
  where: SettingsPlace,
  code: "invalid-setting" | "invalid-schema" = "invalid-setting",
): v.InferOutput<S> | undefined {
  const outcome = v.safeParse(shape, plain ?? {});
  if (outcome.success) return outcome.output;
  where.report.all(schemaFaults(outcome.issues, shape, where, code));
  return undefined;
}

/** What the settings or a schema of layers break, by field. */
function schemaFaults(
  issues: readonly v.GenericIssue[],
  shape: v.GenericSchema,
  { kind, root }: SettingsPlace,
  code: "invalid-setting" | "invalid-schema",
): readonly Diagnostic[] {
  return wrongFields(issues, shape, root, false).map(({ what, steps, field, message, known }) => {
    const fault = { severity: "error", code, field, at: { text: kind } } as const;
    const name = field === "" ? "the schema" : `\`${field}\``;
    if (what === "unknown") {
      const near = nearest(String(steps.at(-1)), known);
      const hint = meantOr(near, `the fields are ${known.join(", ")}`);
      const unknown = code === "invalid-setting" ? "unknown-setting" : code;
      return { ...fault, code: unknown, message: `unknown field ${name}`, hint };
    }
    if (what === "missing") return { ...fault, message: `${name} is missing`, hint: "add it" };
    const isText = message.startsWith("expected a string, ");
    const hint = isText ? "put quotes around a number or a boolean" : "correct it";
    return { ...fault, message: `${name}: ${message}`, hint };
  });
}

export const writeARender = `write apiVersion: valuefold.dev/${knownVersion} and kind: ${renderKind}`;

export const nothingToRender: Diagnostic = errorAt(
  "invalid-setting",
  undefined,
  `expected a document that asks for a render: ${renderKinds.map((each) => `\`${each}\``).join(", ")}`,
  writeARender,
);

/** An error where a render may be meant: its objects would be left out, and pruned. */
export function anotherKind(document: Node): Diagnostic {
  const { isMeant, near } = resembled(document);
  const [version, kind] = [document.textAt("apiVersion") ?? "", document.textAt("kind") ?? ""];
  const hint =
    near === undefined || near === kind
      ? `a render is of apiVersion valuefold.dev/${knownVersion} and kind ${renderKind}; keep others in another file`
      : `did you mean \`${near}\`?`;
  return {
    code: "invalid-setting",
    severity: isMeant ? "error" : "warning",
    message: `a document of kind \`${kind}\`, apiVersion \`${version}\`, does not ask for a render`,
    at: { text: `${kind}/${(document.get("metadata") ?? document).textAt("name") ?? ""}` },
    hint,
  };
}

export function anotherVersion(owner: Owner): Diagnostic {
  return errorAt(
    "invalid-setting",
    ownerText(owner),
    `valuefold knows ${knownVersion} of \`${owner.group}\` only`,
    `write apiVersion: ${owner.group}/${knownVersion}`,
    "apiVersion",
  );
}

/** Fields next to `spec`: settings there would be ignored without a warning. */
export function outsideSpec(document: Node, owner: Owner): Diagnostic[] {
  const places = ["apiVersion", "kind", "metadata", "spec"];
  const known = owner.kind === renderKind ? places : [...places, "status"];
  return document.value
    .children()
    .map((each) => each.keyText)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = nearest(key, known);
      return errorAt(
        "unknown-setting",
        ownerText(owner),
        `unknown field \`${key}\``,
        meantOr(near, "settings belong under `spec`"),
        key,
      );
    });
}

/**
 * Why a document is not read at all: a few aliases may mean millions of settings, and of a key that is written twice one
 * setting would be lost.
 */
export function unfitOf(document: Node, kind: string): Diagnostic[] {
  const far = farAliases(document);
  if (far !== undefined) return [errorAt("invalid-setting", kind, far.message, "write the aliases out")];
  return twiceFaults(document, kind, "invalid-setting");
}

export function nameless(kind: string): Diagnostic {
  return errorAt(
    "invalid-setting",
    kind,
    "the document has no `metadata.name`, which its objects are labelled with",
    "give it a name",
    "metadata.name",
  );
}

export function nothingInScope({ kind }: SettingsPlace): Diagnostic {
  return errorAt(
    "scope-empty",
    kind,
    "no setting says what is rendered",
    "write a `scope` with includes, or `instances` (iterations of a Konfiguration)",
  );
}

export function schemaMissing(name: string, { kind }: SettingsPlace): Diagnostic {
  return errorAt(
    "invalid-schema",
    kind,
    `there is no KonfigurationSchema \`${name}\` in the same file`,
    "put both into the file that `-c` names, with `---` between them",
  );
}

export const remoteSchema: Diagnostic = errorAt(
  "invalid-schema",
  "KonfigurationSchema",
  "`spec.raw.remote.url`: valuefold reads no network",
  "put the schema's text under `spec.raw.content`",
);
