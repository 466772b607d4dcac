/** How often the event loop came round while something was worked at. */
export async function countTurns<T>(work: Promise<T>): Promise<readonly [T, number]> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  try {
    return [await work, turns];
  } finally {
    clearImmediate(next);
  }
}
