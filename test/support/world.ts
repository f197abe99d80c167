// What the command line is given in tests: no process, no other program.
import type { Io } from "../../src/cli/io.ts";
import { runRender } from "../../src/sources/run-render.ts";
import { folding, supplied, unsupplied } from "../../src/core/fold.ts";
import { wings } from "../../src/wings.ts";
import { finalValues } from "../../src/explain/final-values.ts";

export function worldOf(stdin: string | Uint8Array = "", over: Partial<Io> = {}): Io {
  const { directory = "." } = over;
  return {
    stdin: () => Buffer.from(stdin),
    fold: (request) => Promise.resolve(unsupplied(folding(request, wings))),
    values: (request) => Promise.resolve(unsupplied(finalValues(request))),
    render: (invocation) =>
      runRender(invocation, {
        directory,
        sops: () => Promise.resolve([]),
        stdin: () => Buffer.from(stdin),
      }),
    supplied: (steps) => supplied(steps),
    tidily: (work) => work(undefined),
    prepare: () => Promise.resolve(),
    executable: () => undefined,
    env: {},
    directory: ".",
    terminal: { stdin: false, stdout: false },
    ...over,
  };
}
