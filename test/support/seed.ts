// The seed of all random cases. `npm test` has the same one always, so that it fails only for what a change does; `npm run fuzz`
// gives a fresh one.
import fc from "fast-check";

export const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20_261_126);

fc.configureGlobal({ seed });
