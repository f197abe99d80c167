// Clones of whole items: made before their template, each after its own layer. A name that another item has is a fault.
import type { Diagnostic } from "../diagnostic.ts";
import { type Embedding, type Envelope, type Item, NameIndex } from "../core/index.ts";
import { type MadeClone, makeClone } from "./clone.ts";
import type { OriginEdit } from "./draft.ts";
import { failAs, type Failure, fewer, isFailure } from "./faults.ts";
import { entryPlace } from "./model.ts";
import { makeLayer } from "./own-layer.ts";
import {
  type ClonesByIdentity,
  type EditsOrFaults,
  identityOf,
  ownNames,
  type Plan,
  planClones,
  type PlannedClone,
  type RepeatRun,
} from "./planned-clones.ts";
import { groupOf, type Naming, namingsIn, siblingsOf } from "./siblings.ts";

/** A clone or its own layer, as it is written. */
interface Made extends MadeClone {
  readonly planned: PlannedClone;
  readonly isLayer: boolean;
}

/** The edits that write clones of whole items. */
export function repeatResources(run: RepeatRun): EditsOrFaults & { readonly clones: ClonesByIdentity } {
  const { envelope, repeats } = run;
  const faults: Diagnostic[] = [];
  const names = new NameIndex(envelope.items);
  const all: Made[] = [];
  for (const repeat of repeats) {
    const plan = planClones(repeat, names, envelope.items);
    for (const each of plan.faults) faults.push(each);
    for (const one of plan.faults.length > 0 ? [] : clonesOf(plan, run)) {
      if (isFailure(one)) faults.push(one.fault);
      else all.push(one);
    }
  }
  for (const each of nameConflicts(all, envelope.items)) faults.push(each);
  if (faults.length > 0) return { edits: [], faults: fewer(faults), clones: new Map() };
  const clones = all.filter(({ isLayer }) => !isLayer);
  return {
    edits: all.map((one) => inserted(one, envelope)),
    faults,
    clones: new Map(clones.map(({ named, planned }) => [identityOf(named), planned])),
  };
}

function* clonesOf(
  { templates, wanted }: Plan,
  { envelope, settings }: RepeatRun,
): Generator<Made | Failure> {
  const group = groupOf(templates);
  const siblings = siblingsOf(wanted);
  const namings = new Map<Item, readonly Naming[]>();
  for (const template of templates.keys()) namings.set(template, namingsIn(template, group, settings));
  for (const planned of wanted) {
    const { template, scope } = planned;
    const embedding = envelope.embeddings.get(template) as Embedding;
    const own = { embedding, namings: namings.get(template) ?? [], siblings: siblings(scope) };
    const clone = makeClone({ ...planned, ...own });
    const layer = isFailure(clone) ? undefined : makeLayer({ ...planned, ...own }, clone.named.namespace);
    if (layer !== undefined) yield isFailure(layer) ? layer : { ...layer, planned, isLayer: true };
    if (isFailure(clone)) yield clone;
    else if (layer === undefined || !isFailure(layer)) yield { ...clone, planned, isLayer: false };
  }
}

function inserted({ draft: { text, origin }, planned: { template } }: Made, envelope: Envelope): OriginEdit {
  const home = envelope.embeddings.get(template) as Embedding;
  const tail =
    home.type === "block"
      ? " ".repeat(home.column)
      : home.type === "flow"
        ? ", "
        : `---${home.inline ? "" : "\n"}`;
  const { start } = template;
  return { start, end: start, text: Buffer.concat([text, Buffer.from(tail)]), origin };
}

function nameConflicts(made: readonly Made[], items: readonly Item[]): Diagnostic[] {
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
    return [failAs("name-taken", entryPlace(entry, entry.as), message, hint).fault];
  });
}
