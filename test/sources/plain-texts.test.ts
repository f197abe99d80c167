// Plain texts that mean something else between brackets keep their meaning wherever values are printed to be read again.
// @module-tag law
import { test } from "vitest";
import { counted } from "../fuzz/tally.ts";
import { Random } from "../support/nasty-yaml.ts";
import { carriers, expectSameValues, plainTexts } from "../support/plain-texts.ts";
import { seed } from "../support/seed.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 3);
const limit = 600_000;

test.for(Object.entries(carriers))(
  "plain texts in %s are printed as they are meant",
  { timeout: limit },
  async ([, carrier]) => {
    for (let index = 0; index < runs; index++) {
      const random = new Random(seed + index);
      const [values, others] = [plainTexts(random), plainTexts(random)];
      try {
        await expectSameValues({ carrier, values, others, path: "" });
      } catch (error) {
        throw new Error(`seed ${seed + index}\n${values}\n---\n${others}`, { cause: error });
      }
    }
    counted(runs);
  },
);
