/** Text as a search reads it: without difference of case, and any white space as one space. */

const space = /\s/;
/** What is a part of a letter, and the one letter whose small form depends on what follows it. */
const special = /[\u03a3\ud800-\udfff]/;

export function searchedText(text: string): string {
  const lower = text.toLowerCase();
  // letter by letter costs much more
  const isPlain = lower.length === text.length && !special.test(text);
  const small = isPlain ? lower : text.split('').map(smallLetter).join('');
  return small.replace(/\s+/g, ' ');
}

/** A few letters have two when they are small; those stay as they are. */
function smallLetter(unit: string): string {
  const lower = unit.toLowerCase();
  return lower.length === 1 ? lower : unit;
}

/** As {@link searchedText}, with the place in the text of each of its characters. */
export function searchedPlaces(text: string): {
  readonly text: string;
  readonly at: readonly number[];
} {
  const at: number[] = [];
  let folded = '';
  for (let index = 0; index < text.length; index++) {
    const unit = text[index] ?? '';
    const isSpace = space.test(unit);
    if (!isSpace || !folded.endsWith(' ')) {
      folded += isSpace ? ' ' : smallLetter(unit);
      at.push(index);
    }
  }
  return { text: folded, at };
}

/** Where the query begins in the text, without overlaps. Both as {@link searchedText} makes them. */
export function foundPlaces(
  query: string,
  text: string,
  limit = Number.POSITIVE_INFINITY,
): readonly number[] {
  const places: number[] = [];
  let at = query === '' ? -1 : text.indexOf(query);
  while (at !== -1 && places.length < limit) {
    places.push(at);
    at = text.indexOf(query, at + query.length);
  }
  return places;
}

/** Case does not count. */
export function queryWords(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** @param words as {@link queryWords} makes them */
export function hasWords(
  texts: readonly (string | undefined)[],
  words: readonly string[],
): boolean {
  const text = texts.join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
