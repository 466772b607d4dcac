/** How well a few typed letters name a path or a name: every letter in order, better in one piece and at the start of words. */

/** Characters; what is typed beyond them narrows nothing down. */
const maxQuery = 100;
/** Characters of a text from its end, where the name is. */
const maxText = 300;

/** The points of one letter that is found. */
const found = 1;
const afterFound = 4;
const startsWord = 3;
const inName = 2;
const exactName = 40;

export interface FuzzyText {
  /** In small letters. */
  readonly text: string;
  /** Where the name begins in it. */
  readonly nameAt: number;
}

/** Prepares a text that is looked through often. */
export function fuzzyText(text: string): FuzzyText {
  const small = text.slice(-maxText).toLowerCase();
  return { text: small, nameAt: small.lastIndexOf('/', small.length - 2) + 1 };
}

/** Prepares what was typed. Blanks and either kind of slash make no difference. */
export function fuzzyQuery(typed: string): string {
  return typed.slice(0, maxQuery).toLowerCase().replaceAll('\\', '/').replaceAll(/\s+/g, '');
}

/**
 * In time linear to the text.
 * @param query as {@link fuzzyQuery} makes it
 * @returns higher is better; `undefined`: it does not name it
 */
export function fuzzyScore(query: string, { text, nameAt }: FuzzyText): number | undefined {
  if (query === '') {
    return 0;
  }
  const name = scoreFrom(query, text, nameAt, nameAt);
  const whole = name === undefined && nameAt > 0 ? scoreFrom(query, text, 0, nameAt) : undefined;
  const score = name ?? whole;
  if (score === undefined) {
    return undefined;
  }
  const isName = text.startsWith(query, nameAt);
  // of two that are alike the shorter one
  return score + (isName ? exactName : 0) - text.length / (2 * maxText);
}

function scoreFrom(query: string, text: string, from: number, nameAt: number): number | undefined {
  const piece = text.indexOf(query, from);
  if (piece !== -1) {
    return pieceScore(query, text, piece, nameAt);
  }
  let score = 0;
  let last = -2;
  let at = from;
  for (const letter of query) {
    at = text.indexOf(letter, at);
    if (at === -1) {
      return undefined;
    }
    score += found + (at === last + 1 ? afterFound : 0);
    score += (isWordStart(text, at) ? startsWord : 0) + (at >= nameAt ? inName : 0);
    last = at;
    at += letter.length;
  }
  return score;
}

function pieceScore(query: string, text: string, at: number, nameAt: number): number {
  const { length } = query;
  const each = found + afterFound + (at >= nameAt ? inName : 0);
  return length * each + (isWordStart(text, at) ? length * startsWord : 0);
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{Letter}\p{Number}]/u.test(text[at - 1] ?? '');
}
