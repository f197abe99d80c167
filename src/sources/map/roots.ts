// What is built by itself, of things that build each other: what no other one reaches. Of a circle one is a root.

/** One of each circle that nothing outside of it reaches: its first one. @param next what one builds: any may be in it twice */
export function rootsOf<T>(all: readonly T[], next: (each: T) => readonly T[]): readonly T[] {
  const later = starts(all, next);
  const isRoot = new Set(starts(later.toReversed(), next));
  return later.filter((each) => isRoot.has(each));
}

/** Those that no earlier one reaches. */
function starts<T>(all: readonly T[], next: (each: T) => readonly T[]): readonly T[] {
  const reached = new Set<T>();
  return all.filter((each) => {
    if (reached.has(each)) return false;
    const open = [each];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (reached.has(one)) continue;
      reached.add(one);
      open.push(...next(one));
    }
    return true;
  });
}
