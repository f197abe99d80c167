// All that `verify` finds odd about layers, each as grave as the settings say.
import type { Context, Steps } from "../../core/index.ts";
import { type Envelope, Mark } from "../../krm/index.ts";
import { Report } from "../../report/index.ts";
import type { Settings } from "../../settings/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { explainItems } from "../explain.ts";
import type { ExplainCall } from "../explainer.ts";
import { lintLayers } from "./layers.ts";
import { lintObjects } from "./objects.ts";
import { StaleFolds } from "./stale.ts";

type Levels = Readonly<Record<string, "off" | "warning" | "error" | false | undefined>>;

/** Every fourth file of layered values has one, and some of these are meant to stay. */
const usuallyOff: readonly Diagnostic["code"][] = ["idle-value"];

/** Undefined where the lint is off. */
function severityOf(code: Diagnostic["code"], levels: Levels): Diagnostic["severity"] | undefined {
  const level = levels[code] ?? (usuallyOff.includes(code) ? "off" : usualLevel(code));
  return level === "off" || level === false ? undefined : level;
}

/** A pinned default is no mistake; a key that no chart reads may be meant for people. */
function usualLevel(code: Diagnostic["code"]): Diagnostic["severity"] {
  return code === "equals-default" || code === "unread-key" ? "info" : "warning";
}

/**
 * Plans a fold, and so changes what the context's items hold.
 *
 * @param unfolded whether that fold is still to come: then its faults are reported, too
 */
export function* linting(
  envelope: Envelope,
  request: ExplainCall,
  context: Context,
  unfolded: boolean,
): Steps<Diagnostic[]> {
  const levels: Levels = context.settings.verify.lints ?? {};
  const report = new Report();
  const planned: Context = { ...context, purpose: unfolded ? "lint-fold" : "lint", report };
  const stale = new StaleFolds(planned);
  const own: Context = {
    ...planned,
    onStack: ({ stack }, all, survey) => {
      if (stack === all.at(-1)) stale.look(stack.target, all, survey);
    },
  };
  // Only a full explanation has all values that are equal.
  const ofValues =
    severityOf("idle-value", levels) !== undefined || (request.overChart ?? request.targets) !== undefined;
  const { plan, explanation, unread, ofOthers } = yield* explainItems(
    envelope,
    { ...request, isBrief: !ofValues },
    own,
  );
  const rendered = envelope.items.filter(({ annotations }) => annotations.has(Mark.renderedFrom));
  const found = [
    ...lintLayers(explanation, { rendered: new Set(rendered.map(objectText)), ofValues }),
    ...(request.targets ?? []).flatMap(({ lints = [] }) => lints),
    ...lintObjects(envelope, plan.survey, own),
    ...report.diagnostics.filter(({ code, severity }) => code === "tie" && severity === "warning"),
    ...report.diagnostics.filter(({ code }) => code === "unknown-key"),
    ...report.diagnostics.filter(isUnmatchedPath),
  ];
  // Protected paths, schemas and rules are set on purpose: no level of a lint changes their faults. Nor does one change
  // faults of items that cannot be read.
  const ofFold = ({ severity }: Diagnostic): boolean => unfolded && severity === "error";
  const broken = report.diagnostics.filter(
    (each) => isRequested(each) || ofFold(each) || unread.includes(each),
  );
  return [...broken, ...ofOthers, ...stale.found(plan.survey), ...levelled(found, levels)];
}

/** Findings as grave as the settings say. */
export function lintsAs(found: readonly Diagnostic[], { verify }: Settings): Diagnostic[] {
  return levelled(found, verify.lints ?? {});
}

/** False for a lint that the settings turn off. */
export function isChecked(code: Diagnostic["code"], { verify }: Settings): boolean {
  return severityOf(code, verify.lints ?? {}) !== undefined;
}

function levelled(found: readonly Diagnostic[], levels: Levels): Diagnostic[] {
  return found.flatMap((each): Diagnostic[] => {
    const severity = severityOf(each.code, levels);
    return severity === undefined ? [] : [{ ...each, severity }];
  });
}

function isUnmatchedPath({ code, field }: Diagnostic): boolean {
  return code === "unmatched-selector" && /^spec\.(?:merge|protect)\[\d+\]\.path$/.test(field ?? "");
}

function isRequested({ code, field }: Diagnostic): boolean {
  // The target was not folded from what its folded items record.
  if (code === "folded-edited") return field !== undefined;
  if (code === "unmatched-selector")
    return field?.startsWith("spec.schemas") === true || field?.startsWith("--schema") === true;
  const codes = ["protected-path", "schema", "schema-reference", "invalid-schema", "item-unreadable"];
  return [...codes, "rule-mismatch", "rule-unmet", "rule-apart", "not-built"].includes(code);
}
