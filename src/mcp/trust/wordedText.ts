/** Sentences of ours with values of others in them, which stay apart: who shows them draws both in their own way. */
import { showText } from '../../base/text/showText.js';

interface WordedPart {
  readonly text: string;
  /** It is of others, as it is: to be escaped where it is shown. */
  readonly isValue: boolean;
  /** It stands beside another text, and is what differs. Default: it does not. */
  readonly isChanged?: boolean;
}

export type WordedText = readonly WordedPart[];

export function words(text: string): WordedText {
  return text === '' ? [] : [{ text, isValue: false }];
}

export function value(text: string): WordedText {
  return [{ text, isValue: true }];
}

/** What a sentence of ours is given in place of its values; no value is ever searched for them. */
export const slots: readonly string[] = ['\u{f0000}', '\u{f0001}'];

/** @param sentence with {@link slots} in place of the values, in any order */
export function worded(sentence: string, ...values: readonly WordedText[]): WordedText {
  return sentence.split(/([\u{f0000}\u{f0001}])/u).flatMap((part) => {
    const slot = slots.indexOf(part);
    return slot < 0 ? words(part) : (values[slot] ?? []);
  });
}

/** In one line, values escaped where they cannot be read without doubt. */
export function plainText(text: WordedText): string {
  return text.map((part) => (part.isValue ? showText(part.text) : part.text)).join('');
}
