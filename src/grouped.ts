/** What belongs together, by a key: groups in the order their first member comes. (Node 20 has no `Map.groupBy`.) */
export function grouped<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return groups;
}

/** One of each key: the last one, at the place of the first. */
export function distinct<T>(all: Iterable<T>, keyOf: (one: T) => string = (one) => JSON.stringify(one)): T[] {
  return [...new Map(Array.from(all, (one) => [keyOf(one), one] as const)).values()];
}
