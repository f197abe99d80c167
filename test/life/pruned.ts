// What the sources are once layers were pruned: what they were folded into is then a layer like any other
// (docs/folding.md, Folding again).
import { hasItsLayers, layersOf } from "./places.ts";
import {
  type File,
  foldedFrom,
  idOf,
  isFolded,
  type KubeObject,
  noteOf,
  objectOf,
  objectsOf,
  type Repository,
} from "./repository.ts";
import { type Change, edited } from "./documents.ts";

/** The sources after a render; undefined where some folded items have lost their layers and others have not. */
export function resourced(sources: Repository, rendered: Repository): Repository | undefined {
  const there = new Set(objectsOf(rendered).map(idOf));
  const folded = objectsOf(rendered).filter(isFolded);
  const whole = folded.filter((object) => hasItsLayers(object, there));
  if (whole.length > 0 && whole.length < folded.length) return undefined;
  if (objectsOf(sources).every((object) => there.has(idOf(object)))) return sources;
  if (whole.length > 0) return undefined;
  const held = new Set(folded.flatMap(layersOf));
  // A layer for all goes into targets to come, and no annotation says that it goes into none that holds it.
  if (objectsOf(rendered).some((object) => held.has(idOf(object)) && isForAll(object))) return undefined;
  // Nor does one say that a layer that is kept is in a ConfigMap already.
  if (objectsOf(rendered).some(isKeptInPlace)) return undefined;
  return { ...rendered, files: rendered.files.map((file) => asSource(file, held)) };
}

function isForAll(layer: KubeObject): boolean {
  return noteOf(layer, "valuefold.dev/into")?.includes("*") === true;
}

function isKeptInPlace(layer: KubeObject): boolean {
  const into = noteOf(layer, "valuefold.dev/into") ?? "";
  return noteOf(layer, "valuefold.dev/kept") === "true" && /\b(?:ConfigMap|Secret)\//.test(into);
}

/** A layer that is still there, and held by a folded item that stays, is not applied again. */
function asSource(file: File, held: ReadonlySet<string>): File {
  const object = objectOf(file);
  const notes = [
    foldedFrom,
    "config.kubernetes.io/local-config",
    ...(held.has(idOf(object)) ? ["valuefold.dev/into"] : []),
  ];
  const changes = notes
    .filter((key) => object.metadata.annotations?.[key] !== undefined)
    .map((key): Change => [["metadata", "annotations", key]]);
  return changes.length === 0 ? file : { ...file, text: edited(file.text, changes) };
}
