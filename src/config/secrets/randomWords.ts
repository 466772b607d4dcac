/** Secrets of which nothing is known but that nobody would think of them. */
import type { FoundSecret } from './foundSecret.js';
import { isIdentifierName } from './secretNames.js';
import { isOfWords, isPath, looksRandom } from './secretValues.js';

const address = /(?<!\w)\w+:\/\/[^\s"'<>`\\]*/g;
const word = /[\w+/.~@=-]{20,}/g;
// digests and commits are public
const publicLead = /(?:sha\d{1,3}[-:]|md5[-:]|#)$/i;

/** Long random words that stand for themselves, such as a token as the only argument. */
export function findRandomWords(text: string, found: FoundSecret[]): void {
  if (isPath(text) && !/\s/.test(text)) {
    return;
  }
  // addresses have rules of their own
  const rest = text.replace(address, (part) => ' '.repeat(part.length));
  for (const { 0: all, index } of rest.matchAll(word)) {
    const [assigned = '', name = ''] = /^(?:([\w.-]+)=)?(?=.)/.exec(all) ?? [];
    const lead = Math.max(all.lastIndexOf('@') + 1, assigned.length);
    const part = all.slice(lead);
    const before = rest.slice(Math.max(0, index + lead - 8), index + lead);
    if (
      looksRandom(part) &&
      !hasPathShape(part) &&
      !publicLead.test(before) &&
      !isIdentifierName(name)
    ) {
      found.push({ start: index + lead, end: index + all.length, reason: 'random' });
    }
  }
}

/** Names with slashes between them. */
function hasPathShape(text: string): boolean {
  return text.split('/').length > 1 && text.split('/').some((part) => isOfWords(part));
}
