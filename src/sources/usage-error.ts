// A mistake that the user can mend.

/** The hint of a mistake that has no other. */
export const generalHint = "see valuefold --help";

/** A mistake that the user can mend, in words. */
export class UsageError extends Error {
  readonly hint: string;
  /** What another program said about it. */
  readonly reason: readonly string[];

  constructor(message: string, hint = generalHint, reason: readonly string[] = []) {
    super(message);
    this.hint = hint;
    this.reason = reason;
  }
}

/** A directory has nothing to build. In a comparison it is no build on that side. */
export class NothingBuilt extends UsageError {}
