// What the final values of a target lack, as diagnostics: Secrets that are not asked for, sealed layers, what only the cluster has.
import type { Barrier, Layer, Reference, Stack, Target } from "../layers/index.ts";
import type { Context } from "../core/index.ts";
import { type Item, placeOf, refOf } from "../krm/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { type ObjectId, objectId, objectText } from "../object-id.ts";

/** What is asked for. */
export interface AskedValues {
  /** Whether values of Secrets are printed. */
  readonly secrets: boolean;
  /** Variables of Flux that only the cluster has, where the others are replaced already. */
  readonly variables?: ReadonlySet<string>;
}

/** @param item that has, or names, what is missing */
function valuesMissing(item: Target | Layer["item"]): Pick<Diagnostic, "code" | "severity" | "item" | "at"> {
  return { code: "values-missing", severity: "warning", item: refOf(item), at: placeOf(item) };
}

/** A text of values in which Flux may still replace variables. */
export function variablesStay(
  text: Uint8Array,
  item: Item | Layer["item"],
  target: Target,
  { asked: { variables }, context }: { readonly asked: AskedValues; readonly context: Context },
): void {
  const all = [
    ...Buffer.from(text)
      .toString("latin1")
      .matchAll(/(?<!\$)\$\{(\w+)/g),
  ].map(([, name = ""]) => name);
  const names = [...new Set(all)].filter((name) => variables?.has(name) ?? true);
  if (names.length === 0) return;
  const shown = item.kind === "Secret" ? "variables" : names.map((name) => `\`\${${name}}\``).join(", ");
  context.report.report({
    ...valuesMissing(item),
    message: `${shown} of \`${objectText(item)}\` stays as it is: the cluster may have a value for it`,
    reason: `Flux replaces variables before \`${objectText(target)}\` gets its values`,
    hint:
      variables === undefined
        ? "read the values from a Flux cluster's directory"
        : "`valuefold explain` names the object that may have it",
  });
}

/** @param target whose own values they are */
export function takenFromSecret(target: ObjectId): Diagnostic {
  return {
    code: "values-missing",
    severity: "warning",
    item: objectId(target),
    message: "values that a build took from a Secret are left out",
    hint: "use `--secrets` to have them, too",
  };
}

export function leftOut({ item }: Layer, { target }: Stack, { report }: Context): void {
  report.report({
    ...valuesMissing(item),
    message: `values of \`${objectText(item)}\` for \`${objectText(target)}\` are left out`,
    hint: "use `--secrets` to have them, too",
  });
}

export function stillSealed({ item }: Layer, { target }: Stack, { report, settings }: Context): void {
  const isSet = settings.sops !== undefined;
  report.report({
    ...valuesMissing(item),
    message: `values of \`${objectText(item)}\` for \`${objectText(target)}\` are encrypted`,
    reason: "they are not among these",
    hint: isSet
      ? "a single layer is not decrypted, as it does not fold: read it with `sops decrypt`"
      : "set `sops` in a function config (`-c`) to decrypt them",
  });
}

/** What the platform may bind without a reference, once for a stack: the catalog's values, and those at some priorities. */
export function unseen({ target, below, likely, entries }: Stack, { report }: Context): void {
  const catalog =
    below !== "unknown"
      ? []
      : [likely === undefined ? "values of its catalog" : `\`${likely.unless}\`, which comes first`];
  const priorities = entries.flatMap((entry) =>
    "barrier" in entry && entry.barrier.reference === undefined ? [entry.barrier.priority] : [],
  );
  const bound = priorities.length === 0 ? [] : [`values of priority ${priorities.join(", ")}`];
  const what = [...catalog, ...bound];
  if (what.length === 0) return;
  report.report({
    ...valuesMissing(target),
    message: `the cluster may have ${what.join(", and ")}: these are not among the values here`,
    hint: "set `app.unseen` to the priorities at which your platform binds values",
  });
}

/** A layer that the target names. */
export function missing(
  { why, reference, fault, mark }: Barrier,
  { target }: Stack,
  { report }: Context,
): void {
  if (fault !== undefined) return report.report(fault);
  if (reference === undefined) return;
  report.report({
    ...valuesMissing(target),
    ...whatIsMissing(why, reference, mark),
  });
}

function whatIsMissing(
  why: Barrier["why"],
  reference: Reference,
  mark = "",
): Pick<Diagnostic, "message" | "hint"> {
  const name = `\`${objectText(reference)}\``;
  const gap = "so its values are not among these";
  switch (why) {
    case "target-path":
      return {
        message: `the one value that ${name} sets by \`targetPath\` is not among these`,
        hint: "set it by hand",
      };
    case "no-key":
      return {
        message: `${name} has no key \`${reference.key ?? "values.yaml"}\`, ${gap}`,
        hint: "correct `valuesKey`, or add the key",
      };
    case "reserved":
      return {
        message: `${name} is in the slot \`${reference.slot}\` of an App of the catalog \`default\`, ${gap}`,
        hint: "valuefold leaves that slot to the platform: add them by hand",
      };
    case "exempt":
      return {
        message: `${name} has \`${mark}\`, ${gap}`,
        hint: "the cluster may have another version of it: read it there",
      };
    case "late-bound":
    case "unseen":
    case "ambiguous":
      return {
        message: `${name} is not in the list, ${gap}`,
        hint: "name its file, too; otherwise its values are missing here",
      };
  }
}
