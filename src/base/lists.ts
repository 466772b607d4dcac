/** Lists that files, servers and models make long are never spread into a call: its arguments lie on the stack. */

/** Adds them at the end of the list. */
export function addAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) {
    list.push(item);
  }
}

/** @param least what it is at least, and for no numbers */
export function largest(numbers: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let found = least;
  for (const number of numbers) {
    found = Math.max(found, number);
  }
  return found;
}

/** Infinite for no numbers. */
export function smallest(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const number of numbers) {
    found = Math.min(found, number);
  }
  return found;
}

/** Items by key, groups in the order of their first item. `Map.groupBy` for runtimes that lack it (Node 20). */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    addTo(groups, keyOf(item), item);
  }
  return groups;
}

/** Adds it at the end of the group of its key. */
export function addTo<K, T>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key);
  if (group) {
    group.push(item);
  } else {
    groups.set(key, [item]);
  }
}
