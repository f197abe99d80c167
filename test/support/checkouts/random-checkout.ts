// Random checkouts whose layout is known before they are written: Flux, Argo CD and Fleet, at the top or each example in a folder of its
// own. So the roots, the values of each release, and what an edit changes follow from how it was made.
import { Random } from "../nasty-yaml.ts";
import { argoCheckout } from "./argo.ts";
import { Draft, helmRelease, type Made, type Place, type Root } from "./draft.ts";
import { type Change, randomChange, randomEdit, type ValueEdit, valuesOf } from "./edits.ts";
import { fleetCheckout } from "./fleet.ts";
import { fluxCheckout } from "./flux.ts";

export interface BuiltRelease {
  readonly root: string;
  /** `Kind/namespace/name`. */
  readonly target: string;
  /** By their paths, with dots. */
  readonly values: ReadonlyMap<string, string>;
}

export interface RandomCheckout {
  /** What is special about it. */
  readonly traits: readonly string[];
  /** In the order in which they are written. */
  readonly files: ReadonlyMap<string, string>;
  /** The URL of `origin` in a clone. */
  readonly origin: string;
  readonly roots: readonly Root[];
  readonly releases: readonly BuiltRelease[];
  /** Files with releases that no root has. */
  readonly unbuilt: readonly string[];
  /** Of one value: what it does is known. */
  readonly edit: ValueEdit;
  /** Of anything: what it does is what both trees come to. */
  readonly change: Change;
}

const repository = "acme/fleet";

export function randomCheckout(seed: number): RandomCheckout {
  const random = new Random(seed);
  const draft = new Draft(random);
  for (const place of places(draft)) layout(draft)(draft, place);
  leftovers(draft);
  const origin = draft.url(draft.has("fork", 6) ? "someone/fleet" : repository);
  const edit = randomEdit(draft);
  const change = randomChange(draft.files, random);
  const files = new Map(shuffled([...draft.files], random));
  const { traits, roots, unbuilt } = draft;
  return { traits, files, origin, roots, releases: draft.releases.map(built), unbuilt, edit, change };
}

/** At the top, or examples: copies of repositories of their names, or folders of this repository. */
function places(draft: Draft): readonly Place[] {
  if (!draft.has("several tops", 5)) return [{ top: "", start: "", repository }];
  return ["shop", "bank"].map((name) => {
    const top = `examples/${name}/`;
    return draft.has("copy of a repository", 2)
      ? { top, start: "", repository: `others/${name}` }
      : { top, start: top, repository };
  });
}

function layout(draft: Draft): (draft: Draft, place: Place) => void {
  return draft.random.pick([
    fluxCheckout,
    fluxCheckout,
    fluxCheckout,
    argoCheckout,
    argoCheckout,
    fleetCheckout,
  ]);
}

function built({ root, target, ...made }: Made): BuiltRelease {
  return { root, target, values: valuesOf(made) };
}

/** Folders that nothing deploys. */
function leftovers(draft: Draft): void {
  if (draft.has("leftover manifests", 4)) {
    const layer = draft.layer("docs/old/release.yaml");
    draft.write(layer.file, helmRelease("old", "old", layer));
    draft.loose.push(layer);
    draft.unbuilt.push(layer.file);
  }
  if (draft.has("leftover kustomization", 4)) {
    const layer = draft.layer("attic/release.yaml");
    draft.write(layer.file, helmRelease("attic", "attic", layer));
    draft.write("attic/kustomization.yaml", "resources: [release.yaml]");
    draft.roots.push({ name: "attic", kind: "kustomization", isGuess: true });
    draft.releases.push({ root: "attic", target: "HelmRelease/attic/attic", layers: [layer] });
  }
  if (draft.has("other files", 2)) {
    draft.write(".github/workflows/ci.yaml", "on: push\njobs: {}");
    draft.write("README.md", "# fleet");
  }
}

function shuffled<T>(all: readonly T[], random: Random): readonly T[] {
  const open = [...all];
  return all.map(() => open.splice(random.below(open.length), 1)[0] as T);
}
