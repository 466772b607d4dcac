/**
 * Text from outside as it is shown to somebody who decides by it: what cannot be seen, looks like a blank or another
 * character, or changes the direction of reading is written as an escape, so that two texts that look alike are alike.
 */
import {
  isMarkOfScript,
  isUnmistakableLetter,
  isUnmistakablePunctuation,
  letterFamily,
} from './lookAlikes.js';
import { escapeCharacter } from './plainText.js';
import { trimEndOf } from './trim.js';

/** Why something is not shown as it is. */
export const hiddenKinds = ['blanks', 'control', 'direction', 'invisible', 'lookAlike'] as const;
export type HiddenKind = (typeof hiddenKinds)[number];

/** A piece of a text; all pieces together are the text. */
export interface ShownPart {
  readonly text: string;
  /** What is shown in its place. Default: it is shown as it is. */
  readonly instead?: { readonly text: string; readonly kinds: readonly HiddenKind[] };
}

/** The text as it is if that can be read without doubt, else in double quotes with escapes. */
export function showText(text: string): string {
  const isPlain = !/^[ "]| $| {2}/.test(text) && text !== '' && !hasHidden(text);
  return isPlain ? text : quoteText(text);
}

/** Always in double quotes; `\` and `"` are escaped as well. */
export function quoteText(text: string): string {
  const parts = joined(split(text)).map((part) => part.instead?.text ?? escapeQuotes(part.text));
  return `"${parts.join('')}"`;
}

/** Something of it cannot be read without doubt. */
export function hasHidden(text: string): boolean {
  return split(text).some(({ kind }) => kind !== undefined);
}

/**
 * The text in pieces, to be drawn without quotes: blanks at its ends are escaped as well.
 * @param isInside it stands between others, so that its ends can be seen
 */
export function shownParts(text: string, isInside = false): readonly ShownPart[] {
  if (isInside) {
    return joined(split(text));
  }
  const start = text.search(/[^ ]|$/);
  const rest = text.slice(start);
  const inner = trimEndOf(rest, ' ');
  return joined([
    ...edge(text.slice(0, start)),
    ...split(inner),
    ...edge(rest.slice(inner.length)),
  ]);
}

function edge(blanks: string): readonly Piece[] {
  return blanks === '' ? [] : [{ text: blanks, kind: 'blanks' }];
}

/** As many in a row are hard to count. */
const many = 4;
const token = / {4,}|[\p{L}\p{N}\p{M}]+|./gsu;
/** Letters that show nothing, beside those that Unicode lists as ignorable. */
const blankLetters = String.raw`\u2800\u{13441}\u{13442}`;
const hidden = new RegExp(String.raw`[\p{Default_Ignorable_Code_Point}${blankLetters}]`, 'u');

interface Piece {
  readonly text: string;
  /** Default: it is shown as it is. */
  readonly kind?: HiddenKind;
}

function split(text: string): readonly Piece[] {
  return [...text.matchAll(token)].flatMap(([found]): readonly Piece[] => {
    if (/^[\p{L}\p{N}\p{M}]/u.test(found)) {
      return splitWord(found);
    }
    if (found.length >= many) {
      return [{ text: found, kind: 'blanks' }];
    }
    return [
      /^[ -~]/.test(found) || isUnmistakablePunctuation(found) ? { text: found } : odd(found),
    ];
  });
}

/** In a word with ASCII letters each other letter has to be unmistakable; in another one they explain each other. */
function splitWord(word: string): readonly Piece[] {
  if (/^[0-9A-Za-z]+$/.test(word)) {
    return [{ text: word }];
  }
  const clusters = word.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
  const sure = /[A-Za-z]/.test(word) ? [] : clusters.map(first).filter(isUnmistakable);
  const families = new Set(sure.map(letterFamily));
  return clusters.flatMap((cluster) => splitCluster(cluster, families));
}

type Families = ReadonlySet<string | undefined>;

/** A letter and the marks on it. Marks on nothing, those that only cover the letter, or heaps of them are odd. */
function splitCluster(cluster: string, families: Families): readonly Piece[] {
  const letter = first(cluster);
  const marks = [...cluster].slice(1);
  const isPlain = /[0-9A-Za-z]/.test(letter) || isUnmistakable(letter) || isOf(letter, families);
  const count = isPlain ? countMarks(letter, marks) : 0;
  const shown = letter + marks.slice(0, count).join('');
  return [isPlain ? { text: shown } : odd(letter), ...marks.slice(count).map(odd)];
}

function isOf(letter: string, families: Families): boolean {
  const family = isLetter(letter) ? letterFamily(letter) : undefined;
  return family !== undefined && families.has(family);
}

function isUnmistakable(letter: string): boolean {
  return isLetter(letter) && isUnmistakableLetter(letter);
}

function isLetter(text: string): boolean {
  return /\p{L}/u.test(text) && !hidden.test(text);
}

const maxMarks = 3;

/** How many marks belong on the letter: those that make one character with it, or share its script. */
function countMarks(letter: string, marks: readonly string[]): number {
  let count = 0;
  for (const mark of marks.slice(0, maxMarks)) {
    const whole = (letter + marks.slice(0, count + 1).join('')).normalize('NFC');
    const isOwn = isMarkOfScript(mark, letter) && !hidden.test(mark);
    if (!isOwn && [...whole].length > 1) {
      break;
    }
    count++;
  }
  return count;
}

function first(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}

function odd(text: string): Piece {
  return { text, kind: kindOf(text) };
}

function kindOf(character: string): HiddenKind {
  if (/[\p{Zs}]/u.test(character)) {
    return 'blanks';
  }
  if (/\p{Bidi_Control}/u.test(character)) {
    return 'direction';
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(character)) {
    return 'control';
  }
  return /\p{C}/u.test(character) || hidden.test(character) ? 'invisible' : 'lookAlike';
}

/** Pieces of one sort that follow each other are one. */
function joined(pieces: readonly Piece[]): readonly ShownPart[] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last && (last[0]?.kind === undefined) === (piece.kind === undefined)) {
      last.push(piece);
    } else {
      groups.push([piece]);
    }
  }
  return groups.map((group) => {
    const text = group.map((piece) => piece.text).join('');
    const kinds = new Set(group.flatMap(({ kind }) => kind ?? []));
    return kinds.size === 0
      ? { text }
      : {
          text,
          instead: { text: escapeAll(text), kinds: hiddenKinds.filter((kind) => kinds.has(kind)) },
        };
  });
}

function escapeQuotes(text: string): string {
  return text.replace(/["\\]/g, '\\$&');
}

/** Runs of one character are counted; nothing that is shown as it is can be taken for the count. */
function escapeAll(text: string): string {
  return text.replace(/(.)\1*/gsu, (run, character: string) => {
    const written = escapeCharacter(character);
    const count = run.length / character.length;
    return count < many ? written.repeat(count) : `${written}×${count}`;
  });
}
