// Three-valued verdicts. Lower layers, such as a chart's defaults, may still complete the values. They are valid if every
// completion is valid, invalid if no completion is, and else undecided. Kleene's logic: `and` is the minimum, `or` the
// maximum.

export const Verdict = { invalid: 0, undecided: 1, valid: 2 } as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

export function both(a: Verdict, b: Verdict): Verdict {
  return a < b ? a : b;
}

export function either(a: Verdict, b: Verdict): Verdict {
  return a > b ? a : b;
}

export function opposite(verdict: Verdict): Verdict {
  return (2 - verdict) as Verdict;
}

/** @param isValid undefined while it is not known */
export function decided(isValid: boolean | undefined): Verdict {
  if (isValid === undefined) return Verdict.undecided;
  return isValid ? Verdict.valid : Verdict.invalid;
}
