// `valuefold values`: the final values of one target, as its consumer computes them, for `helm template -f -` and the
// like. Changes nothing. Values of Secrets are in it only where they are asked for.
import {
  type Barrier,
  bytesToPrint,
  guard,
  isText,
  isOff,
  type Layer,
  type Stack,
  type Target,
} from "../layers/index.ts";
import {
  beginRun,
  type Context,
  diagnosticsOfRun,
  inlineOf,
  type Plan,
  planFolds,
  readToFold,
  type FoldInput,
  type Steps,
  wantedTarget,
} from "../core/index.ts";
import { Exit, type Outcome, refuse, reported } from "../report/index.ts";
import { type Item, Mark, placeOf, refOf } from "../krm/index.ts";
import { leafOf, mergeAll, mergeTrees, type Tree, writeValues } from "../merge/index.ts";
import { type Node, standalone } from "../yaml/index.ts";
import { usualDataKeys } from "../kinds.ts";
import { chainDocument } from "./document.ts";
import { withoutSecrets } from "./without-secrets.ts";
import { type FilesOf, inlinePath } from "./places.ts";
import {
  type AskedValues,
  leftOut,
  missing,
  stillSealed,
  takenFromSecret,
  unseen,
  variablesStay,
} from "./missing-values.ts";
import { mergedNode, type PathDocument, pathDocument } from "./target-path.ts";
import { wings } from "../wings.ts";

export interface ValuesRequest extends FoldInput, AskedValues {
  /** The files that the input was built from, if the edge knows them. */
  readonly sources?: FilesOf;
  /** `Kind/name` or `Kind/namespace/name`. */
  readonly target: string;
}

/** The outcome's output is the values, and empty where something is wrong. */
export function* finalValues(request: ValuesRequest): Steps<Outcome> {
  const started = beginRun(request, "look", wings);
  if ("outcome" in started) return started.outcome;
  const { context } = started;
  const { report } = context;
  const envelope = yield* wings.repeated(started.envelope, context);
  if (report.failed) return refuse(envelope, diagnosticsOfRun(request, report), Exit.faults);
  const plan = yield* planFolds(envelope.items, context);
  const target = report.failed ? undefined : targetOf(request.target, plan, context);
  const output = target === undefined ? undefined : valuesOf(target, plan, request, context);
  if (report.failed || output === undefined)
    return refuse(envelope, diagnosticsOfRun(request, report), Exit.faults);
  return { ...reported(report, diagnosticsOfRun(request, report)), output: [output] };
}

function targetOf(text: string, { survey }: Plan, { report }: Context): Target | undefined {
  const wanted = wantedTarget(text, survey.selection);
  if (!("code" in wanted)) return wanted;
  report.report(wanted);
  return undefined;
}

function valuesOf(target: Target, plan: Plan, asked: AskedInline, context: Context): Uint8Array | undefined {
  const { secrets } = asked;
  const inPlace = plan.inPlace.edits.has(target as Item) ? (target as Item) : undefined;
  if (inPlace !== undefined) return ownText(inPlace, secrets, context);
  const stacks = plan.collected.get(target)?.stacks ?? [];
  const own = inlineOf(target);
  let inline = own && (inlineWithoutSecrets(own, target, asked, context) ?? standalone(own));
  if (inline !== undefined && "read" in target && !isOff(target, Mark.substitute))
    variablesStay(writeValues(leafOf(inline)), target, target, { asked, context });
  // The consumer of an App puts what comes of Secrets over what comes of ConfigMaps.
  let tree: Tree | undefined;
  let isSecret = false;
  for (const stack of stacks) {
    const { taken: layers, changed } = layersOf(stack, inline, asked, context);
    inline = changed;
    isSecret ||= layers.some((each) => each.isSecret);
    const roots = layers.map(({ root }) => root);
    tree = mergeTrees(tree, mergeAll(roots, stack.rules?.at));
  }
  const bytes = writeValues(inline === undefined ? tree : mergeTrees(tree, leafOf(inline)));
  return bytesToPrint(guard(bytes, isSecret), secrets);
}

type AskedInline = Pick<ValuesRequest, "sources" | "secrets" | "variables">;

/** Inline values without what a build took from a Secret; undefined where that is nothing, or is asked for. */
function inlineWithoutSecrets(
  own: Node,
  target: Target,
  { sources, secrets }: AskedInline,
  { report }: Context,
): Node | undefined {
  const chain =
    secrets || !("read" in target) ? undefined : sources?.(target)?.chainAt(target, inlinePath, own);
  const open = chain && withoutSecrets(chain.documents.map((each) => chainDocument(each, "", "apart")));
  if (open !== undefined) report.report(takenFromSecret(target));
  return open;
}

/** A target edited in place holds its values itself. */
function ownText(target: Item, secrets: boolean, { holdings, report }: Context): Uint8Array | undefined {
  const keys = holdings.keysOf(target);
  const key = keys.length === 1 ? keys[0] : keys.find((each) => usualDataKeys.includes(each));
  const text = key === undefined ? undefined : holdings.textOf(target, key);
  const isTaken = key !== undefined && holdings.isTaken(target, key);
  const bytes = isText(text) && (secrets || !isTaken) ? bytesToPrint(text, secrets) : undefined;
  if (bytes !== undefined) return bytes;
  const isHidden = (target.kind === "Secret" || isTaken) && !secrets;
  report.report({
    code: "no-target",
    severity: "error",
    item: refOf(target),
    at: placeOf(target),
    message: isHidden
      ? "the values of a Secret are printed only where they are asked for"
      : "expected one data key with values",
    hint: isHidden ? "use `--secrets`" : `its keys are ${keys.join(", ")}: read the folded stream instead`,
  });
  return undefined;
}

/** The layers of a stack with their values; what cannot be known is reported. */
function layersOf(
  stack: Stack,
  inline: Node | undefined,
  asked: AskedValues,
  context: Context,
): { readonly taken: readonly Taken[]; readonly changed: Node | undefined } {
  const { secrets } = asked;
  const { below, likely, entries } = stack;
  const taken: Taken[] = [];
  const take = (layer: Layer): void => {
    if (context.layers.isSecret(layer) && !secrets) return leftOut(layer, stack, context);
    if (context.layers.isSealed(layer)) return stillSealed(layer, stack, context);
    const root = readToFold(layer, stack, context)?.root;
    if (root === undefined) return;
    taken.push({ root, isSecret: context.layers.isSecret(layer) });
    const { variable, text } = context.layers.valuesOf(layer);
    if (variable) variablesStay(text, layer.item, stack.target, { asked, context });
  };
  for (const layer of below === "unknown" ? (likely?.layers ?? []) : below) take(layer);
  let changed = inline;
  for (const entry of entries) {
    if ("layer" in entry) take(entry.layer);
    else {
      const set = setByPath(entry.barrier, stack, { taken, inline: changed, asked, context });
      if (set === undefined) {
        missing(entry.barrier, stack, context);
        continue;
      }
      const own = changed === undefined ? [] : [changed];
      taken.push(...own.map((root) => ({ root, isSecret: false })), set);
      if (set.changesInline) changed = mergedNode([...own, set.root]);
    }
  }
  unseen(stack, context);
  return { taken, changed };
}

/** Values of a stack, and whether they are those of a Secret. */
interface Taken {
  readonly root: Node;
  readonly isSecret: boolean;
}

/** Flux merges inline values before it sets one at a path, and at the end again. */
function setByPath(
  barrier: Barrier,
  { target, rules }: Stack,
  {
    taken,
    inline,
    asked,
    context,
  }: {
    readonly taken: readonly Taken[];
    readonly inline: Node | undefined;
    readonly asked: AskedValues;
    readonly context: Context;
  },
): (Taken & Pick<PathDocument, "changesInline">) | undefined {
  if (rules !== undefined) return undefined;
  const below = taken.map(({ root }) => root);
  const { secrets } = asked;
  const set = pathDocument(barrier, target, { holdings: context.holdings, below, inline, secrets });
  context.report.all(set?.faults ?? []);
  const { item } = barrier;
  if (set !== undefined && item !== undefined && !isOff(item, Mark.substitute))
    variablesStay(set.text, item, target, { asked, context });
  const root = set?.document.root;
  return set && root && { root, isSecret: set.isSecret, changesInline: set.changesInline };
}
