// The wings that a fold asks: the one place that knows which they are.
import type { Wings } from "./core/index.ts";
import { repeated } from "./repeat/index.ts";
import { checkSchemas } from "./schema/index.ts";

export const wings: Wings = { repeated, checkSchemas };
