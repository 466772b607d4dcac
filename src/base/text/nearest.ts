/** Longer words are compared by their beginnings alone. */
const maxLength = 40;

/** Up to three of the candidates that the word was probably meant to be, nearest first. */
export function nearest(word: string, candidates: readonly string[]): readonly string[] {
  const typed = word.toLowerCase();
  const limit = Math.max(1, Math.floor(Math.min(typed.length, maxLength) / 3));
  return candidates
    .map((candidate) => ({ candidate, far: distance(typed, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Letters to change, insert, leave out or swap; 0 also where one begins with the other. */
function distance(typed: string, candidate: string): number {
  if (typed !== '' && (candidate.startsWith(typed) || typed.startsWith(candidate))) {
    return 0;
  }
  const [a, b] = [typed.slice(0, maxLength), candidate.slice(0, maxLength)];
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_item, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const now: number[] = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      now[column] = Math.min(
        (now[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, now];
  }
  return last[b.length] ?? 0;
}
