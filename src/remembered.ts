// What is found once for each key.

interface FoundByKey<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly has: (key: K) => boolean;
  readonly set: (key: K, value: V) => unknown;
}

/** What was found for a key, or what is found now. */
export function remembered<K, V>(known: FoundByKey<K, V>, key: K, find: () => V): V {
  const own = known.get(key);
  if (own !== undefined || known.has(key)) return own as V;
  const found = find();
  known.set(key, found);
  return found;
}
