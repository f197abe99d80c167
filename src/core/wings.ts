// What a fold asks of the wings that know it: the core imports none of them.
import type { Diagnostic } from "../diagnostic.ts";
import type { Context } from "./context.ts";
import type { Stack, Target } from "./model.ts";
import type { Steps } from "./sops/need.ts";
import type { Envelope } from "./wire/envelope.ts";
import type { Item } from "./wire/item.ts";
import type { Node } from "./yaml/tape.ts";

export interface Wings {
  /** The list with the clones of its Repeats; it comes back unchanged without Repeats, or if one has a fault. */
  readonly repeated: (envelope: Envelope, context: Context) => Steps<Envelope>;
  /** Called only if the setting `schemas` is there. Faults of the schemas themselves go to the context's report. */
  readonly checkSchemas: (items: readonly Item[], context: Context) => SchemaCheck;
}

export interface SchemaCheck {
  /** What all known values of a target break. `inline` overrides its stacks. */
  faultsOf(target: Target, stacks: readonly Stack[], inline: Node | undefined): Diagnostic[];
  /** Once every target is checked: ConfigMaps that nothing folds into, and rules that match no target. */
  rest(): Diagnostic[];
}
