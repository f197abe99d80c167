import { safeDump, safeLoad } from "js-yaml";
import { foldWith } from "../kpt-fold.ts";

foldWith({
  parse: (text) => safeLoad(text) as object | undefined,
  stringify: (values) => safeDump(values, { lineWidth: -1, noRefs: true }),
});
