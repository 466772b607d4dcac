/** What a word stands for by its shape alone: the name of a file, the key of an issue, the name of a channel. */
import type { Phrase } from './phrases.js';
import { wordRuns, wordsOfRun } from './words.js';

/** `a b; c`: one of a and b, and c. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b[\w-]{1,60}\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|heic)\b/gi, 'image; file'],
  [/\b[\w-]{1,60}\.(?:mp3|wav|flac|ogg)\b/gi, 'audio; file'],
  [/\b[\w-]{1,60}\.(?:mp4|mov|mkv|avi|webm)\b/gi, 'video; file'],
  [
    /\b[\w-]{1,60}\.(?:json|ya?ml|toml|ini|cfg|conf|env|lock|md|txt|log|csv|tsv|xml|html?|s?css|tsx?|jsx|py|rb|rs|go|java|kt|cpp|hpp|cs|php|sh|bat|sql|zip|tar|gz|pdf|docx?|xlsx?|pptx?)\b/gi,
    'file',
  ],
  [/\b[A-Z]{2,6}-\d{1,6}\b/g, 'issue ticket'],
  [/(?<=^|\s)#\d+\b/g, 'issue ticket'],
  [/(?<=^|\s)#[a-z][\w-]*/gi, 'channel'],
];

/** What stands in the query for what it is, with its words. */
export function readShapes(query: string): readonly Phrase[] {
  return shapes.flatMap(([shape, meaning]) =>
    [...query.matchAll(shape)].flatMap(([text]) => {
      const words = wordRuns(text).flatMap(wordsOfRun);
      return meaning.split('; ').map((part) => ({ words, meaning: part.split(' ') }));
    }),
  );
}

/** Capitals within a sentence begin a name; no other word is meant by it. */
const names = /(?<=[a-z,] )[A-Z][a-z]+/g;

export function readNames(query: string): ReadonlySet<string> {
  return new Set((query.match(names) ?? []).map((name) => name.toLowerCase()));
}
