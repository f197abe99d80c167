// Random checkouts that a stranger wrote: sound scenes of each kind of source, with some fields that lead out of the checkout,
// name a URL or name a program, and a `.git` that does the same. Each attack has a name, so that a failure says which.
import { join } from "node:path";
import { applicationSet, argo } from "./hostile-argo.ts";
import { chart } from "./hostile-charts.ts";
import { Draft } from "./hostile-draft.ts";
import { flux } from "./hostile-flux.ts";
import { git } from "./hostile-git.ts";
import { kustomization } from "./hostile-kustomize.ts";
import { controls, fleet, kpt, manifests, render, valuesFiles } from "./hostile-others.ts";
import type { Outside } from "./hostile-outside.ts";
import { settings } from "./hostile-settings.ts";

export interface HostileCheckout {
  /** The same checkout before the attacks. */
  readonly before: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** What each link names. */
  readonly links: ReadonlyMap<string, string>;
  readonly programs: ReadonlySet<string>;
  /** Lines of `.git/config`, and files in `.git`. */
  readonly config: readonly string[];
  readonly gitFiles: ReadonlyMap<string, string>;
  /** Blobs that `.git` does not have any more. */
  readonly isWithoutBlobs: boolean;
  readonly attacks: readonly string[];
  readonly commands: readonly (readonly string[])[];
}

/** The scenes, and how many attacks each has: they come in turn, three in a checkout, so that 39 checkouts have all. */
const scenes = {
  kustomization,
  flux,
  argo,
  applicationSet,
  chart,
  fleet,
  kpt,
  render,
  valuesFiles,
  manifests,
  controls,
  settings,
} as const;

type Scene = keyof typeof scenes;

const attacksOf: Readonly<Record<Scene, number>> = {
  kustomization: 33,
  flux: 9,
  argo: 13,
  applicationSet: 8,
  chart: 12,
  fleet: 5,
  kpt: 4,
  render: 12,
  valuesFiles: 5,
  manifests: 5,
  controls: 5,
  settings: 6,
};

const gitAttacks = 10;

const slots = (Object.keys(scenes) as Scene[]).flatMap((make) =>
  Array.from({ length: attacksOf[make] }, (_, attack) => ({ make, attack })),
);

/** Far from each other in the list, so that the scenes of a checkout are of several kinds. */
function slotsOf(seed: number): readonly { readonly make: Scene; readonly attack: number }[] {
  const third = Math.ceil(slots.length / 3);
  const at = seed % third;
  return [at, at + third, at + 2 * third].flatMap((index) => slots[index] ?? []);
}

export function hostileCheckout(seed: number, outside: Outside): HostileCheckout {
  const draft = new Draft(seed, outside);
  for (const { make, attack } of slotsOf(seed)) {
    draft.turn = attack;
    scenes[make](draft);
  }
  if (seed % 2 === 0) {
    draft.turn = (seed / 2) % gitAttacks;
    git(draft);
  }
  draft.both("README.md", "# hello\n");
  const { before, files, links, programs, config, gitFiles, isWithoutBlobs, attacks } = draft;
  const made = { before, files, links, programs, config, gitFiles, isWithoutBlobs, attacks };
  return { ...made, commands: chosen(draft) };
}

/** Four commands, never two alike: all that there is, a difference, and two more. */
function chosen({ random, commands, places, outside: { root } }: Draft): readonly (readonly string[])[] {
  const left = [
    ...commands,
    ["explain"],
    ["explain", "shop", "leak"],
    ["explain", "--annotate", "shop"],
    ["explain", "--html", join(root, "page.html")],
    ["diff", "--json", "HEAD^"],
    ["compare"],
    ["compare", "--html", join(root, "comparison.html")],
    ["verify"],
    ["verify", "--strict", "--format", "json", "-v"],
    ["doctor"],
  ];
  const differences = [
    ["diff", "HEAD"],
    ["diff", "HEAD^", "HEAD"],
    ["diff", "--format", "markdown", "--", "HEAD^", "HEAD"],
  ];
  // What cannot be built in one place hides the rest of a difference.
  const where = random.once(2) ? [] : [random.pick(places)];
  const picked = [["explain", "--json"], [...random.pick(differences), ...where], random.pick(commands)];
  while (picked.length < 4) picked.push(...left.splice(random.below(left.length), 1));
  return picked;
}
