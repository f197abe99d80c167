// What holds after every round, whatever the user did.
import { idempotence } from "./again.ts";
import type { Pipeline } from "./choices.ts";
import { fresh } from "./fresh.ts";
import { itemsPart, sharedPath } from "./kpt.ts";
import { lost } from "./lost.ts";
import type { Rendered } from "./render.ts";
import { foldedFrom, idOf, isFolded, type KubeObject, noteOf, objectOf } from "./repository.ts";
import type { Broken, Round } from "./round.ts";
import { values } from "./same-values.ts";
import { secretMark } from "./values.ts";

/** The first law that a successful fold breaks. */
export function brokenLaw(round: Round): Broken | undefined {
  return (
    ending(round) ??
    secrets(round.rendered) ??
    lost(round) ??
    unnamed(round.rendered) ??
    values(round) ??
    idempotence(round) ??
    fresh(round)
  );
}

/** A refused list goes back as it came. */
export function brokenByRefusal({ input, folded }: Rendered, pipeline: Pipeline): Broken | undefined {
  const isBack = pipeline === "plain" ? folded.output === "" : itemsPart(folded.output) === itemsPart(input);
  return (
    leakIn(folded.messages + JSON.stringify(folded.diagnostics)) ??
    (isBack ? undefined : { law: "ending", detail: "a refused input did not come back as it was" })
  );
}

function ending({ pipeline, rendered: { folded, files } }: Round): Broken | undefined {
  if (folded.output === "" || files.length === 0) return { law: "ending", detail: "exit 0 with nothing" };
  const path = pipeline === "overlay" ? undefined : sharedPath(files);
  if (path !== undefined) return { law: "ending", detail: `two items at the path ${path}` };
  const ids = files.map((file) => idOf(objectOf(file)));
  const twice = ids.find((id, at) => ids.indexOf(id) !== at && !id.endsWith("/unrelated"));
  return twice === undefined ? undefined : { law: "ending", detail: `two items ${twice}` };
}

/** A folded item that nothing references is an error, never an output: what only it holds would be lost. */
function unnamed({ files }: Rendered): Broken | undefined {
  const objects = files.map(objectOf);
  const specs = objects.map(({ spec }) => JSON.stringify(spec ?? {})).join("\n");
  const isNamed = ({ metadata: { name } }: KubeObject): boolean => specs.includes(`"${name}"`);
  const isAlone = (one: KubeObject): boolean => (noteOf(one, foldedFrom) ?? "").includes('"alone":true');
  const left = objects.find((one) => isFolded(one) && !isAlone(one) && !isNamed(one));
  return left && { law: "lost", detail: `${idOf(left)} is referenced no more` };
}

function secrets({ folded, files }: Rendered): Broken | undefined {
  const open = files.filter((file) => objectOf(file).kind !== "Secret").map(({ text }) => text);
  const results = folded.output.slice(Math.max(0, folded.output.search(/^results:/m)));
  const said = folded.output.includes("\nresults:") ? results : "";
  return leakIn([...open, said, folded.messages, JSON.stringify(folded.diagnostics)].join("\n"));
}

function leakIn(text: string): Broken | undefined {
  const at = text.indexOf(secretMark);
  return at < 0 ? undefined : { law: "secrets", detail: text.slice(Math.max(0, at - 80), at + 20) };
}
