/** Which conversations a query names, by title or by what was said, and where. */

/** Characters before and after what was found. */
const around = 40;

/** The place where a text in one line holds the query; `undefined` when it does not. Case does not count. */
export function excerptOf(text: string, query: string): string | undefined {
  const wanted = query.replace(/\s+/g, ' ').trim().toLowerCase();
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted);
  if (at === -1) {
    return undefined;
  }
  const start = Math.max(0, at - around);
  const end = Math.min(text.length, at + wanted.length + around);
  const excerpt = text.slice(start, end).trim();
  return `${start > 0 ? '…' : ''}${excerpt}${end < text.length ? '…' : ''}`;
}
