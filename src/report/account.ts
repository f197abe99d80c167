// What a run did, as types: `fold` prints it as text, and as JSON with `--format json`.

/** Text for people, and the same by target. */
export interface Account {
  readonly text: string;
  readonly targets?: readonly TargetAccount[];
  readonly checked?: VerifiedInput;
}

/** What `verify` looked at. */
export interface VerifiedInput {
  /** Targets that have values. */
  readonly targets: number;
  /** What else it was: `base.yaml, prod.yaml`. */
  readonly what?: string;
}

/** A target that a run changed, or could have changed. */
export interface TargetAccount {
  readonly target: string;
  readonly folds: readonly FoldAccount[];
  readonly apart: readonly RunEndAccount[];
  /** True if its earlier folds were undone. */
  readonly unfolded: boolean;
}

export interface FoldAccount {
  /** The folded item, or the data key of the target itself. */
  readonly result: string;
  /** Lowest first. */
  readonly layers: readonly LayerAccount[];
}

export interface LayerAccount {
  readonly name: string;
  readonly priority: number;
}

export interface RunEndAccount {
  readonly below: LayerAccount;
  readonly above: LayerAccount;
  readonly why: string;
}
