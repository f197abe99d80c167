// A failing case made smaller: parts of its texts are left out while it fails in the same way.

const mostTries = 3000;

type Fails = (parts: readonly string[]) => Promise<boolean>;

export async function smaller(parts: readonly string[], fails: Fails): Promise<readonly string[]> {
  let best = [...parts];
  let tries = 0;
  const attempt = async (at: number, text: string): Promise<boolean> => {
    if (tries++ >= mostTries || text === best[at]) return false;
    const next = best.with(at, text);
    const isSame = await fails(next).catch(() => false);
    if (isSame) best = next;
    return isSame;
  };
  for (let before = -1; before !== size(best);) {
    before = size(best);
    for (let at = 0; at < best.length; at++) {
      await withFewer(
        () => best[at]?.split(/(?<=\n)/) ?? [],
        (lines) => attempt(at, lines.join("")),
      );
      await withFewer(
        () => (best[at] ?? "").split(/(?:)/u),
        (letters) => attempt(at, letters.join("")),
      );
    }
  }
  return best;
}

function size(parts: readonly string[]): number {
  return parts.join("").length;
}

/** Leaves out ranges of pieces: first long ones, at last single ones. */
async function withFewer(
  pieces: () => readonly string[],
  attempt: (fewer: readonly string[]) => Promise<boolean>,
): Promise<void> {
  for (let length = Math.ceil(pieces().length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let at = 0; at < pieces().length;) {
      const fewer = [...pieces().slice(0, at), ...pieces().slice(at + length)];
      if (!(await attempt(fewer))) at += length;
    }
  }
}
