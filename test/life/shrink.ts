// A failing life with every edit left out that it does not need.
import { type Failure, relive } from "./life.ts";

const mostTries = 400;

/** Greedy: whole rounds first, then single edits, until nothing more can go. */
export function shrink(failure: Failure): Failure {
  let best = failure;
  let tries = 0;
  const attempt = (rounds: Failure["rounds"]): boolean => {
    if (tries++ >= mostTries) return false;
    const found = relive(best.pipeline, best.seed, rounds);
    const isSame = found?.law === best.law && (best.law !== "error" || found.detail === best.detail);
    if (found !== undefined && isSame) best = found;
    return found !== undefined && isSame;
  };
  for (let isSmaller = true; isSmaller;) {
    isSmaller = dropRounds(() => best.rounds, attempt) || dropEdits(() => best.rounds, attempt);
  }
  return best;
}

type Rounds = Failure["rounds"];

function dropRounds(rounds: () => Rounds, attempt: (rounds: Rounds) => boolean): boolean {
  let isSmaller = false;
  for (let at = rounds().length - 1; at >= 0; at--) {
    if (rounds().length <= 1 || at >= rounds().length) continue;
    if (attempt(rounds().filter((_, index) => index !== at)) || joined(rounds(), at, attempt))
      isSmaller = true;
  }
  return isSmaller;
}

/** Two rounds in one. */
function joined(rounds: Rounds, at: number, attempt: (rounds: Rounds) => boolean): boolean {
  const [before, own] = [rounds[at - 1], rounds[at]];
  if (before === undefined || own === undefined) return false;
  return attempt([...rounds.slice(0, at - 1), [...before, ...own], ...rounds.slice(at + 1)]);
}

function dropEdits(rounds: () => Rounds, attempt: (rounds: Rounds) => boolean): boolean {
  let isSmaller = false;
  for (let at = rounds().length - 1; at >= 0; at--) {
    for (let index = (rounds()[at]?.length ?? 0) - 1; index >= 0; index--) {
      const without = rounds().map((edits, each) =>
        each === at ? edits.filter((_, position) => position !== index) : edits,
      );
      if (attempt(without)) isSmaller = true;
    }
  }
  return isSmaller;
}
