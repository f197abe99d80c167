// Clones of whole items: they stand where their template stood, each after its own layer. A name that another item has is a
// fault.
import { type Embedding, type Envelope, type Item, placeIn } from "../krm/index.ts";
import { grouped } from "../grouped.ts";
import type { Settings } from "../settings/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import { type CloneInputs, type MadeClone, makeClone } from "./clone.ts";
import { Draft, joined, madeFor, type OriginEdit } from "./draft.ts";
import { elementEdits } from "./elements.ts";
import { attempt, faultAt } from "./faults.ts";
import { entryPlace } from "./model.ts";
import { makeLayer } from "./own-layer.ts";
import { identityOf, ownNames, type RepeatPlan, type PlannedClone, tasksFor } from "./plan.ts";
import { groupOf, namingsIn, siblingsOf } from "./siblings.ts";

interface RepeatRun {
  readonly envelope: Envelope;
  readonly settings: Settings;
}

/** A clone or its own layer. */
type MadeResource = MadeClone & { readonly planned: PlannedClone };

/** The edits that put clones in the place of their template. */
export function cloneEdits(
  plans: readonly RepeatPlan[],
  run: RepeatRun,
  faults: Diagnostic[],
): readonly (OriginEdit & { readonly template: Item })[] {
  const made = plans.flatMap((plan) => [...clonesOf(plan, run, faults)]);
  for (const each of nameConflicts(made, run.envelope.items)) faults.push(each);
  const byTemplate = grouped(made, ({ planned }) => planned.template);
  return [...byTemplate].map(([template, own]) => ({ ...inPlaceOf(template, own, run), template }));
}

function* clonesOf(
  plan: RepeatPlan,
  { envelope, settings }: RepeatRun,
  faults: Diagnostic[],
): Generator<MadeResource> {
  const group = groupOf(plan.templates);
  const siblings = siblingsOf(plan.clones);
  for (const [template, clones] of grouped(plan.clones, (each) => each.template)) {
    const embedding = envelope.embeddings.get(template) as Embedding;
    const draft = Draft.ofItem(template, embedding);
    const namings = draft.root === undefined ? [] : namingsIn(draft.root, template, group, settings);
    for (const planned of clones) {
      const making = { embedding, draft, namings, siblings: siblings(planned.scope), ...planned };
      const made = attempt(faults, () => {
        const clone = withElements(makeClone(making), making, plan);
        const layer = makeLayer(making, clone.named.namespace);
        return layer === undefined ? [clone] : [layer, clone];
      });
      for (const each of made ?? []) yield { planned, ...each };
    }
  }
}

/** A clone with the elements that entries clone inside of it. */
function withElements({ draft, named }: MadeClone, making: CloneInputs, plan: RepeatPlan): MadeClone {
  const tasks = tasksFor(making, plan);
  const { root } = draft;
  if (tasks.length === 0 || root === undefined) return { draft, named };
  const { template: item } = making;
  const name = objectText(named);
  return { draft: draft.changed(elementEdits({ root, item, name }, tasks)), named };
}

function inPlaceOf(template: Item, made: readonly MadeResource[], { envelope }: RepeatRun): OriginEdit {
  const home = envelope.embeddings.get(template) as Embedding;
  const { start, end } = placeIn(envelope, template);
  const gap = gapIn(home);
  const texts = made.flatMap(({ draft }, index) => {
    const isEnded = home.type === "flow" || draft.text.at(-1) === 0x0a;
    const around = (text: string) => ({ text: Buffer.from(text), origin: madeFor(start) });
    return [around(index === 0 ? "" : gap), draft, around(isEnded ? "" : "\n")];
  });
  const { bytes, origin } = joined(texts);
  return { start, end, text: bytes, origin };
}

/** What parts two items. */
function gapIn(home: Embedding): string {
  if (home.type === "flow") return ", ";
  return home.type === "block" ? " ".repeat(home.column) : `---${home.inline ? "" : "\n"}`;
}

function nameConflicts(made: readonly MadeResource[], items: readonly Item[]): Diagnostic[] {
  const owners = new Map<string, string>();
  for (const item of items) owners.set(identityOf(item), `\`${item.kind}/${item.name}\` of the list`);
  return made.flatMap(({ named, planned: { entry, scope } }) => {
    const key = identityOf(named);
    const owner = owners.get(key);
    const own = `the clone for instance \`${scope.instance.name}\``;
    if (owner === undefined) owners.set(key, own);
    if (owner === undefined) return [];
    const message = `${own} would be \`${named.kind}/${named.name}\`, a name that ${owner} has`;
    const another = `choose another with \`as\`, e.g. \`${entry.name}-{name}\``;
    const hint = entry.declared === undefined ? another : ownNames;
    return [faultAt("name-taken", entryPlace(entry, entry.as), message, hint)];
  });
}
