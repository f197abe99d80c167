// One round, and the law it breaks.
import type { Pipeline } from "./choices.ts";
import type { Rendered } from "./render.ts";
import type { Repository } from "./repository.ts";

export interface Broken {
  /** `applied`: values differ since something they need is local-config. */
  readonly law: "values" | "applied" | "idempotence" | "lost" | "ending" | "secrets" | "fresh";
  readonly detail: string;
}

export interface Round {
  readonly pipeline: Pipeline;
  readonly seed: number;
  /** What the user wrote, never folded. */
  readonly sources: Repository;
  /** What was folded. */
  readonly before: Repository;
  readonly rendered: Rendered;
}
