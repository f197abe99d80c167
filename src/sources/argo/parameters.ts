// `parameters` and `fileParameters` of an Argo CD source: Helm gets each as `--set`, `--set-string` or `--set-file`, in this
// order.
import type { Diagnostic } from "../../diagnostic.ts";
import type { Place } from "../../explanation.ts";
import { readFile } from "../disk.ts";
import {
  type Parameter,
  parameterOf,
  type ParameterSet,
  refusal,
  type SetValue,
  typedValue,
} from "../../explain/index.ts";
import { fieldIn, holdsSecret, isHidden, isTrue, listIn, opened, type Placed, textIn } from "../placed.ts";
import type { ArgoEnvironment } from "./environment.ts";
import { distinct } from "../../grouped.ts";

/** A file whose text is a value. */
interface FoundFile {
  readonly path: string;
  readonly at: Place;
}

/** The parameters of a source in the order in which they apply. @param pathOf finds a file, or says why it is not there */
export function parameterSets(
  { helm, shown }: { readonly helm: Placed | undefined; readonly shown: string },
  environment: ArgoEnvironment,
  pathOf: (written: Placed) => FoundFile | undefined,
  faults: Diagnostic[],
): readonly ParameterSet[] {
  const all = listIn(fieldIn(helm, "parameters"));
  const files = listIn(fieldIn(helm, "fileParameters"));
  const valued = (each: Placed, read: (text: string) => SetValue): Parameter | undefined =>
    ofValue(each, environment, read, faults);
  const isString = (each: Placed): boolean => isTrue(fieldIn(each, "forceString"));
  const set = (field: string, found: readonly (Parameter | undefined)[]): ParameterSet => ({
    slot: `${shown}.helm.${field}`,
    parameters: lastOfEach(found.flatMap((each) => each ?? [])),
  });
  const sets = [
    set(
      "parameters",
      all.filter((each) => !isString(each)).map((each) => valued(each, typedValue)),
    ),
    set(
      "parameters",
      all.filter(isString).map((each) => valued(each, (text) => text)),
    ),
    set(
      "fileParameters",
      files.map((each) => ofFile(each, pathOf, faults)),
    ),
  ];
  return sets.filter(({ parameters }) => parameters.length > 0);
}

/** Undefined for one that is not known here, or that Helm refuses. */
function ofValue(
  each: Placed,
  environment: ArgoEnvironment,
  read: (text: string) => SetValue,
  faults: Diagnostic[],
): Parameter | undefined {
  const value = fieldIn(each, "value");
  if (isHidden(fieldIn(each, "name"))) {
    const hidden = refusal("a parameter is not seen: a Secret gives it its name", each.at);
    faults.push({ ...hidden, severity: "warning" });
    return undefined;
  }
  const { text, unknown } = environment.filled((value && textIn(opened(value))) ?? "");
  if (unknown === undefined)
    return parameterOf({ ...namedBy(each, value ?? each), text: cleaned(text), read }, faults);
  const named = holdsSecret(each) ? "a variable of it" : `\`$${unknown}\``;
  faults.push(refusal(`${named} is known in the cluster only`, each.at));
  return undefined;
}

/** A comma in a value is none of the grammar, unless the value is a list. */
function cleaned(value: string): string {
  if (value.startsWith("{") && value.endsWith("}")) return value;
  return value.replaceAll(
    /(^|[^\\])(,+)/g,
    (_, before: string, commas: string) => before + commas.replaceAll(",", "\\,"),
  );
}

function namedBy(each: Placed, value: Placed): Omit<Parameter, "assignments"> {
  const name = fieldIn(each, "name");
  const variables = [...(name?.variables ?? []), ...(value.variables ?? [])];
  return { name: textIn(name) ?? "", at: value.at ?? each.at, variables, isSecret: holdsSecret(each) };
}

/** Helm reads the file: its text is the value. */
function ofFile(
  each: Placed,
  pathOf: (written: Placed) => FoundFile | undefined,
  faults: Diagnostic[],
): Parameter | undefined {
  const written = fieldIn(each, "path");
  if (holdsSecret(each)) {
    const hidden = refusal("a file of a parameter is not seen: a Secret gives it its name", each.at);
    faults.push({ ...hidden, severity: "warning" });
    return undefined;
  }
  const file = written === undefined ? undefined : pathOf(written);
  if (file === undefined || written === undefined) return undefined;
  const text = Buffer.from(readFile(file.path)).toString("utf8");
  const named = namedBy(each, { ...written, at: file.at });
  return parameterOf({ ...named, text: "x", read: () => text }, faults);
}

/** Of two with the same name the later one applies: Argo CD keeps them by their names. */
function lastOfEach(parameters: readonly Parameter[]): readonly Parameter[] {
  return distinct(parameters, ({ name }) => name);
}
