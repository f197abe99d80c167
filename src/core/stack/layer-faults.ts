// Faults of a layer that is to be folded, as diagnostics: each names the layer, its place and the cure.
import type { Diagnostic, Position } from "../../diagnostic.ts";
import {
  type LayerReader,
  type SopsFault,
  type Layer,
  type Stack,
  positionOf,
  positionOfLayer,
  needsFold,
} from "../../layers/index.ts";
import { directivesIn } from "../../merge/index.ts";
import { tooLarge } from "./run-ends.ts";
import { refOf, placeOf } from "../../krm/index.ts";
import type { ReadFault } from "../../yaml/index.ts";
import { sopsFaults } from "./sops-faults.ts";

/** Faults and notes of a layer that is to be folded. */
export function diagnosticsOf(layer: Layer, stack: Stack, layers: LayerReader): Diagnostic[] {
  const { target, rules } = stack;
  const values = layers.valuesOf(layer);
  const item = refOf(layer.item);
  const late = values.faults.length > 0 && values.variable && !needsFold(layer);
  const faults = values.faults.map((fault): Diagnostic => {
    const at = placeOfFault(fault, layer, target, layers);
    const about = { item, at, message: fault.message, ...placesBeside(fault, layer, target, layers) };
    if (late)
      return {
        ...about,
        message: `cannot be read yet: ${fault.message}`,
        code: "variable-layer",
        severity: "warning",
        hint: variableHint,
      };
    const code = fault.code === "syntax" ? "layer-unreadable" : fault.code;
    const hint =
      fault.hint ??
      (layer.format === undefined ? hints[fault.code] : (fileHints[fault.code] ?? hints[fault.code]));
    return { ...about, code, severity: "error", hint: hint ?? hints["syntax"] ?? "" };
  });
  const carriedOut =
    rules === undefined || values.root === undefined ? none : directivesIn(values.root, rules.at);
  const reported = values.notes.filter(
    ({ code, offset }) => code !== "list-directive" || offset === undefined || !carriedOut.has(offset),
  );
  const notes = reported.map((note): Diagnostic => {
    const at = positionOf(layer, target, layers, note.offset);
    const code = note.code === "syntax" ? "layer-unreadable" : note.code;
    const about = { item, at, message: note.message, ...placesBeside(note, layer, target, layers) };
    return { ...about, code, severity: "warning", hint: hints[note.code] ?? "" };
  });
  return [...faults, ...notes];
}

function placesBeside(
  { also }: ReadFault,
  layer: Layer,
  target: Stack["target"],
  layers: LayerReader,
): Pick<Diagnostic, "also"> {
  return also === undefined ? {} : { also: [positionOf(layer, target, layers, also)] };
}

function placeOfFault(
  { offset, isInInput }: ReadFault,
  layer: Layer,
  target: Stack["target"],
  layers: LayerReader,
): Position {
  if (isInInput !== true) return positionOf(layer, target, layers, offset);
  return { ...positionOfLayer(layer, target, layers), ...(offset === undefined ? {} : { offset }) };
}

const none: ReadonlySet<number> = new Set();

const variableHint =
  "it contains `${`, so it may be valid after Flux' substitution: it is left as it is, and nothing folds across it";

/** What to do about a fault of values. */
export function valuesHint(code: string): string {
  return hints[code] ?? "";
}

const hints: Readonly<Record<string, string>> = {
  syntax: "correct the text of the data key at this place",
  "too-deep": "flatten the values",
  "unsupported-key": "quote the key",
  "key-spelled-twice": "keep one of the two spellings, quoted",
  "expansion-bound": "write the aliases of these values out, or split the values into several layers",
  "not-a-mapping": "indent the list or text under a key",
  "duplicate-key": "remove the earlier one",
  "several-documents": "remove the `---`, or make it a layer of its own",
  "list-directive":
    "the key reaches the chart as it is; in a list that has a rule (`merge`) it is a directive",
};

const textHint =
  "set `valuefold.dev/format: text` to replace the whole file: it applies to all keys of its layer, or on the target to all";

/** A data key that holds a file has another cure. */
const fileHints: Readonly<Record<string, string>> = {
  "not-a-mapping": textHint,
  "several-documents": textHint,
};

/** Sealed values would become plain text in a Secret that cannot be sealed as a whole. */
export function opensInPlace(layer: Layer, { target }: Stack, layers: LayerReader): Diagnostic {
  return {
    code: "sealed-layer",
    severity: "error",
    item: refOf(layer.item),
    at: positionOfLayer(layer, target, layers),
    message: "an encrypted layer cannot go into a Secret's own data",
    reason: "that data is not encrypted again",
    hint: "let a HelmRelease or App reference it, or allow it with `sops.allowPlaintext: true`",
  };
}

/** A stack that goes into one data key would have to stay in parts. */
export function cannotSplit(layer: Layer, { target }: Stack, layers: LayerReader, why: string): Diagnostic {
  return {
    code: "not-exact",
    severity: "error",
    item: refOf(layer.item),
    at: positionOfLayer(layer, target, layers),
    message: `cannot be folded into one: ${why}`,
    hint: "make this layer and those below it alike in that",
  };
}

export function onlySealed(layer: Layer, { target }: Stack, layers: LayerReader): Diagnostic {
  const about = { code: "sealed-layer", severity: "error", item: refOf(layer.item) } as const;
  if (layer.item === target)
    return {
      ...about,
      at: placeOf(target),
      message: "an encrypted target cannot be edited in place",
      hint: "fold its layers before it is encrypted",
    };
  return {
    ...about,
    at: positionOfLayer(layer, target, layers),
    message: "an encrypted layer that is known by annotation only cannot be folded",
    hint: "set `sops` to decrypt it; or reference it from the target: then it stays encrypted and keeps its place",
  };
}

/** Why a sealed layer cannot be opened, reported where the layer would be folded. */
export function notOpened(
  fault: SopsFault,
  layer: Layer,
  { target }: Stack,
  layers: LayerReader,
): Diagnostic {
  const at = positionOfLayer(layer, target, layers);
  const about = { severity: "error", item: refOf(layer.item), at } as const;
  const { code, message, hint } = sopsFaults[fault];
  return { ...about, code, message: `cannot decrypt the layer: ${message}`, hint };
}

/** Opened layers without a recipient who can read all of them: nothing says for whom to seal their fold. */
export function sealMissing(layer: Layer, { target }: Stack, layers: LayerReader): Diagnostic {
  return {
    code: "seal-missing",
    severity: "error",
    item: refOf(layer.item),
    at: positionOfLayer(layer, target, layers),
    message: "the decrypted layers share no recipient (age or PGP) for whom their fold could be encrypted",
    hint: "name recipients in `sops.seal`, or allow plain text with `sops.allowPlaintext: true`",
  };
}

/** The layer is not folded into the run below it, because the result would be too large. */
export function runTooLarge(layer: Layer, { target }: Stack, layers: LayerReader): Diagnostic {
  return {
    code: "fold-too-large",
    severity: "warning",
    item: refOf(target),
    at: positionOfLayer(layer, target, layers),
    message: `${tooLarge.why}, so the run ends below this layer`,
    hint: "nothing is lost: the layers are not folded; make the values smaller to fold them",
  };
}
