// The wings that a fold asks: the one place that knows which they are.
import type { Wings } from "./core/wings.ts";
import { repeated } from "./repeat/run.ts";
import { checkSchemas } from "./schema/check.ts";

export const wings: Wings = { repeated, checkSchemas };
