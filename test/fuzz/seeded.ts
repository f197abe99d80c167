// Under `npm run fuzz` every property has the seed that is printed, its cases are counted, and a failure is written down.
import fc from "fast-check";
import { seed } from "../support/seed.ts";
import { counted, kept } from "./tally.ts";

function report(details: fc.RunDetails<unknown>): void {
  counted(details.numRuns);
  if (!details.failed) return;
  const said = fc.defaultReportMessage(details) ?? "";
  throw new Error(
    `${said}\n  in ${kept(`property-${details.seed}`, [JSON.stringify(details.counterexample, undefined, 1)], said)}`,
  );
}

fc.configureGlobal({ seed, reporter: report });
