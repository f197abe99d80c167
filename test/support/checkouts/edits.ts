// Edits of a random checkout: of one value, whose effects follow from the layers; and of anything else that users edit.
import type { Random } from "../nasty-yaml.ts";
import { type Draft, helmRelease, type Layer, type Made, winnerOf } from "./draft.ts";

export interface ExpectedEffect {
  readonly root: string;
  readonly target: string;
  readonly path: string;
  readonly what: "changes" | "hidden";
  readonly from?: string;
  readonly to?: string;
}

export interface ValueEdit {
  readonly file: string;
  readonly text: string;
  readonly effects: readonly ExpectedEffect[];
}

export interface Change {
  readonly what: string;
  readonly file: string;
  /** Undefined where the file is deleted. */
  readonly text: string | undefined;
}

/** Another text in place of one value. */
export function randomEdit({ random, files, releases, loose }: Draft): ValueEdit {
  const rare = releases.flatMap(uncovered);
  const some = random.pick([...new Set([...releases.flatMap((each) => each.layers), ...loose])]);
  const usual = { layer: some, leaf: random.pick(some.leaves) };
  const { layer, leaf } = rare.length > 0 && random.once(2) ? random.pick(rare) : usual;
  const text = leaf.text.replace("v", "new");
  const effects = releases
    .filter((each) => each.layers.includes(layer))
    .map((each): ExpectedEffect => {
      const { path } = leaf;
      const winner = winnerOf(each.layers, path);
      const about = { root: each.root, target: each.target, path };
      if (winner !== layer) return { ...about, what: "hidden" };
      return {
        ...about,
        what: "changes",
        from: filled(leaf.text, layer, each),
        to: filled(text, layer, each),
      };
    });
  return { file: layer.file, text: replaced(files, layer.file, leaf.text, text), effects };
}

/** Values that are seen because a patch takes away the one above. */
function uncovered({
  layers,
}: Made): readonly { readonly layer: Layer; readonly leaf: Layer["leaves"][number] }[] {
  const isAbove = (own: Layer, path: string): boolean =>
    own.isApart !== true && own.leaves.some((each) => each.path === path);
  return layers
    .filter(({ isApart }) => isApart === true)
    .flatMap((layer) => layer.leaves.map((leaf) => ({ layer, leaf })))
    .filter(
      ({ layer, leaf }) =>
        layers.some((own) => isAbove(own, leaf.path)) && winnerOf(layers, leaf.path) === layer,
    );
}

function replaced(files: ReadonlyMap<string, string>, file: string, text: string, by: string): string {
  const before = files.get(file) ?? "";
  const escaped = text.replaceAll(/[${}]/g, "\\$&");
  const after = before.replace(new RegExp(`\\b${escaped}(?![\\w$-])`), () => by);
  if (after === before) throw new Error(`${file} has no ${text}`);
  return after;
}

/** What variables of a layer, and then those of a release, make of a text. */
function filled(text: string, ...all: readonly Pick<Made, "variables">[]): string {
  return all.reduce(
    (made, { variables }) =>
      variables === undefined
        ? made
        : made.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => variables[name] ?? ""),
    text,
  );
}

export function valuesOf(made: Pick<Made, "layers" | "variables">): ReadonlyMap<string, string> {
  const leaves = made.layers.flatMap((layer) =>
    layer.leaves
      .filter(({ path }) => winnerOf(made.layers, path) === layer)
      .map(({ path, text }) => [path, filled(text, layer, made)] as const),
  );
  return new Map(leaves);
}

/** What users do besides: a list gets shorter or turns round, a patch or one of two goes, a file goes, a file comes. */
export function randomChange(files: ReadonlyMap<string, string>, random: Random): Change {
  const manifests = [...files].filter(([file]) => file.endsWith(".yaml") && !file.includes("/templates/"));
  const listed = manifests.filter(([, text]) => resourcesIn(text).length > 1);
  const patched = manifests.filter(([, text]) => text.includes("\npatches: ["));
  const withTwo = manifests.filter(([, text]) => text.split("\n- patch: |\n").length > 2);
  const withSources = manifests.filter(([, text]) => sourceList.test(text));
  const kinds = [
    added,
    deleted,
    ...(listed.length > 0 ? [unlisted] : []),
    ...(patched.length > 0 ? [unpatched] : []),
    ...(withSources.length > 0 ? [turned, turned] : []),
    ...(withTwo.length > 0 ? [onePatchLess, onePatchLess] : []),
  ];
  return random.pick(kinds)();

  function unlisted(): Change {
    const [file, text] = random.pick(listed);
    const all = resourcesIn(text);
    const gone = random.pick(all);
    const rest = all.filter((each) => each !== gone);
    return { what: `${gone} is not listed`, file, text: text.replace(/\[.*\]/, `[${rest.join(", ")}]`) };
  }

  function unpatched(): Change {
    const [file, text] = random.pick(patched);
    return { what: "no patch", file, text: text.replace(/\npatches: .*/, "") };
  }

  function onePatchLess(): Change {
    const [file, text] = random.pick(withTwo);
    const [head = "", ...patches] = text.split("\n- patch: |\n");
    const left = random.pick(patches);
    return { what: "one patch less", file, text: [head, left].join("\n- patch: |\n") };
  }

  function turned(): Change {
    const [file, text] = random.pick(withSources);
    const all = (own: string): readonly string[] => own.split(/^(?= {4}- )/m);
    const made = text.replace(
      sourceList,
      (_, head: string, own: string) => head + all(own).toReversed().join(""),
    );
    return { what: "the sources are in another order", file, text: made };
  }

  function deleted(): Change {
    return { what: "deleted", file: random.pick(manifests)[0], text: undefined };
  }

  function added(): Change {
    const [beside] = random.pick(manifests);
    const layer = { file: "", leaves: [{ path: "alpha", text: "added" }] };
    const file = beside.replace(/[^/]*$/, "added.yaml");
    return { what: "added", file, text: helmRelease("added", "added", layer) };
  }
}

/** The sources of an Application. */
const sourceList = /^( {2}sources:\n)((?: {4}.*\n)+)/m;

function resourcesIn(text: string): readonly string[] {
  const [, all] = /^resources: \[(.*)\]$/m.exec(text) ?? [];
  return all?.split(", ") ?? [];
}
