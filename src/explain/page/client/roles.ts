// Roles of layers: base, stage, region and the like. A role has one colour in all targets, whatever letter its layers have.
//
// A layer's role is the field of the target that names it (`spec.valuesFrom[1]`), or else its priority; the role of a
// values file is its folder. So `shop-stage-prod` and `web-stage-dev`, both at 60, have one role. The word for it is the
// first word of their names without the names of targets, if all have the same: `stage`. Roles with one word are one.
import type { LayerReason } from "../../../explanation.ts";
import type { EncodedPage, LayerForm } from "../encoded.ts";

export interface Role {
  readonly word: string;
  /** The class that gives its colour. */
  readonly look: string;
}

/** How many colours there are. The next roles have the same ones as outlines. */
const hues = 8;

/** Layers that users name, each for its role. */
const namedReasons: ReadonlySet<LayerReason> = new Set(["annotation", "label", "reference"]);

export class Roles {
  private readonly byForm: readonly Role[];

  constructor({ layers, targets }: EncodedPage) {
    const owners = new Set(targets.map(({ name }) => name));
    const drafts = new Map<string, Draft>();
    const used = targets.flatMap(({ stacks }) => stacks.flatMap((stack) => stack.layers));
    for (const number of new Set(used.map(([form]) => form))) {
      const form = layers[number];
      if (form !== undefined) draftOf(form, drafts).add(number, form, owners);
    }
    const byForm: Role[] = [];
    const byWord = new Map<string, Role>();
    for (const draft of drafts.values()) {
      const word = draft.word();
      const role = byWord.get(word) ?? { word, look: draft.isKnown ? lookOf(byWord.size) : "hue-none" };
      if (draft.isKnown) byWord.set(word, role);
      for (const number of draft.forms) byForm[number] = role;
    }
    this.byForm = byForm;
  }

  of(form: number): Role {
    return this.byForm[form] ?? { word: "", look: "hue-none" };
  }
}

/** The layers of a role. */
class Draft {
  readonly forms: number[] = [];
  /** False where the values of all its layers are unknown. */
  isKnown = false;
  private readonly fallback: string;
  private readonly firstWords = new Set<string>();

  constructor(fallback: string) {
    this.fallback = fallback;
  }

  add(number: number, { name, state, why }: LayerForm, owners: ReadonlySet<string>): void {
    this.forms.push(number);
    if (state !== "unseen") this.isKnown = true;
    if (name !== undefined && namedReasons.has(why)) this.firstWords.add(firstWord(name, owners));
  }

  word(): string {
    const [first, second] = this.firstWords;
    return first === undefined || second !== undefined ? this.fallback : first;
  }
}

function draftOf(form: LayerForm, drafts: Map<string, Draft>): Draft {
  const word = bindingOf(form);
  let draft = drafts.get(word);
  if (draft === undefined) drafts.set(word, (draft = new Draft(word)));
  return draft;
}

/** What binds a layer, in words. */
function bindingOf({ why, slot, priority, at, name = "" }: LayerForm): string {
  if (why === "file") return folderOf(at?.file ?? name);
  if (why === "reference" && slot !== undefined && !slot.startsWith("spec.extraConfigs"))
    return slot.replace("spec.", "");
  return priority === undefined || !namedReasons.has(why) ? why : `priority ${priority}`;
}

/** The folder of a file, or its own name without its ending. */
function folderOf(file: string): string {
  const parts = file.split("/");
  return parts.at(-2) ?? file.replace(/\.\w+$/, "");
}

/** The first word of a layer's name after the name of a target. */
function firstWord(name: string, owners: ReadonlySet<string>): string {
  const words = name.split("-");
  for (let end = words.length - 1; end > 0; end--)
    if (owners.has(words.slice(0, end).join("-"))) return words[end] ?? name;
  return words[0] ?? name;
}

function lookOf(hue: number): string {
  return `hue-${hue % hues}${Math.floor(hue / hues) % 2 === 1 ? " ring" : ""}`;
}
