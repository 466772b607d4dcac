/**
 * Which characters nobody takes for another one. Where ASCII is expected, all others are suspect: what is known to be
 * unmistakable passes, not what is unknown to be a look-alike.
 */

/** Scripts whose letters stand apart from ASCII, but for strokes and circles. */
const apartScripts = [
  'Han',
  'Hira',
  'Kana',
  'Hang',
  'Thai',
  'Geor',
  'Arab',
  'Hebr',
  'Deva',
  'Beng',
];
const apart = apartScripts.map((script) => new RegExp(`\\p{scx=${script}}`, 'u'));
const strokes = new Set('一丨丶丿乀乁乙乚乛亅〇口囗工卜ノハニエロトヘへイーㅣㅡㆍاهوןסטחוเา');

/** Scripts that share shapes with ASCII: what has a mark on it is unmistakable, and these. */
const shared = [
  { script: /\p{sc=Latn}/u, letters: new Set('ÆæØøßẞÞþÐðŁłĐđŒœĦħŊŋ') },
  { script: /\p{sc=Grek}/u, letters: new Set('ΓΔΘΛΞΠΣΦΨΩδζθλξςφψ') },
  { script: /\p{sc=Cyrl}/u, letters: new Set('БДЖИЛФЦЧШЩЪЫЭЮЯджзилпфцчшщъыэюяЄєҐґ') },
] as const;

const punctuation = new Set('«»¿¡§¶「」『』【】、。');

/** @param letter one code point beside ASCII, without marks that follow it */
export function isUnmistakableLetter(letter: string): boolean {
  if (letter.normalize('NFKC') !== letter) {
    return false;
  }
  const known = shared.find(({ script }) => script.test(letter));
  return known
    ? known.letters.has(letter) || letter.normalize('NFD').length > letter.length
    : isApart(letter) && !strokes.has(letter);
}

/** Two letters of one family that stand in one word explain each other; nothing explains one without a family. */
export function letterFamily(letter: string): string | undefined {
  if (letter.normalize('NFKC') !== letter || shared[0].script.test(letter)) {
    return undefined;
  }
  const known = shared.find(({ script }) => script.test(letter));
  return known?.script.source ?? (isApart(letter) ? 'apart' : undefined);
}

/** The mark is of a script of the letter that stands apart from ASCII. */
export function isMarkOfScript(mark: string, letter: string): boolean {
  return apart.some((script) => script.test(letter) && script.test(mark));
}

function isApart(letter: string): boolean {
  return apart.some((script) => script.test(letter));
}

/** Beside that of ASCII. */
export function isUnmistakablePunctuation(character: string): boolean {
  return punctuation.has(character);
}
