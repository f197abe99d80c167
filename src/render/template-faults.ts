// What is wrong with a template, or odd about its values.
import type { Diagnostic } from "../diagnostic.ts";
import type { LoadedFile } from "./load.ts";
import type { TemplateFault } from "./template-need.ts";
import { errorAt, warningAt } from "./fault.ts";

export function idle(path: string): Diagnostic {
  return warningAt(
    "idle-values",
    path,
    "no template reads the values of this file, so they reach nothing",
    "name the file under `templates` if it is to be merged as it is",
  );
}

export function leaks(template: LoadedFile, values: LoadedFile): Diagnostic {
  return {
    code: "secret-into-configmap",
    severity: "error",
    message: "a template of a ConfigMap reads values of a Secret",
    at: { text: template.path },
    also: [{ text: values.path }],
    hint: "let it read `ConfigMapsInLayerOrder`, or move the template to the `secret` side",
  };
}

const meanings: { readonly [what in TemplateFault["what"]]: readonly [message: string, hint: string] } = {
  parse: ["the template is no Go template", "correct it at this place"],
  "missing-key": [
    "the template uses a key that no values hold",
    "set it in a values file, or ask with `hasKey`",
  ],
  function: ["the template calls a function that there is not", "the functions are those of Go and of sprig"],
  impure: [
    "the template calls a function whose result is another each time, or another elsewhere",
    "set what it tells as a value",
  ],
  include: ["the template includes what there is not", "add the file to the folder that the schema names"],
  type: [
    "the template uses a value as what it is not",
    "look at the kind of the value: all numbers are floats",
  ],
  "too-long": ["the template does not end", "look for a loop in it"],
  "too-large": ["the template makes too much text", "look for a loop in it"],
  failed: ["the template cannot be rendered", "look at the functions that it calls"],
};

/** @param role whose layer it is */
export function templateFailed(fault: TemplateFault, file: LoadedFile, role: string): Diagnostic {
  const { what, line, column, name } = fault;
  const [message, hint] = meanings[what];
  // What a sealed template spells out is sealed, too.
  const named = name === undefined || file.sealedFor !== undefined ? "" : `: \`${name}\``;
  const place = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
  return errorAt("template-failed", { text: fault.file, ...place, role }, `${message}${named}`, hint);
}
