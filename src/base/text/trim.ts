/**
 * The text without what stands at its end from `characters`. Where a run of them stands elsewhere, `/[…]+$/` would go
 * through it once for each of its characters.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}
