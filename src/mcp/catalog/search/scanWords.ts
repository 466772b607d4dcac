/** Receives the words of a text. An object rather than a callback, which the hot loop calls faster. */
export interface WordSink {
  /** `text.slice(start, end)`, in whatever case; `hash` is that of the lower-case word. */
  word(text: string, start: number, end: number, hash: number): void;
}

const none = 0;
const lower = 1;
const upper = 2;
/** A character that is a word by itself, as in Chinese. */
const single = 3;

/** Digits count as lower-case letters: `base64` is one word. */
const asciiClasses = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  asciiClasses[code] = /[a-z0-9]/.test(character) ? lower : /[A-Z]/.test(character) ? upper : none;
}

const emptyHash = 0x811c9dc5 | 0;

/**
 * Words are runs of letters and digits. `camelCase` and `HTTPServer` give their parts and the whole, so that `GitHub`
 * is found as `github`, `git` and `hub`.
 */
export function scanWords(text: string, sink: WordSink): void {
  const { length } = text;
  let index = 0;
  while (index < length) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? (asciiClasses[code] as number) : classOf(code);
    if (kind === lower || kind === upper) {
      index = scanWord(text, index, sink);
    } else {
      if (kind === single) {
        sink.word(text, index, index + 1, hashOf(text, index, index + 1));
      }
      index++;
    }
  }
}

/** The words of a text in lower case, repetitions included. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  scanWords(text, {
    word: (source, start, end) => words.push(source.slice(start, end).toLowerCase()),
  });
  return words;
}

/** Reports the word that begins at `start` and its parts; returns where it ends. */
function scanWord(text: string, start: number, sink: WordSink): number {
  const { length } = text;
  let part = start;
  let hash = emptyHash;
  let before = none;
  let index = start;
  for (; index < length; index++) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? (asciiClasses[code] as number) : classOf(code);
    if (kind !== lower && kind !== upper) {
      break;
    }
    if (kind === upper && before === lower) {
      sink.word(text, part, index, hash);
      part = index;
      hash = emptyHash;
    } else if (kind === lower && before === upper && index - part > 1) {
      // the last capital of a run begins the next part
      sink.word(text, part, index - 1, hashOf(text, part, index - 1));
      part = index - 1;
      hash = hashOf(text, part, index);
    }
    const lowered = kind === lower && code < 128 ? code : lowerCode(code);
    hash = Math.imul(hash ^ lowered, 0x01000193);
    before = kind;
  }
  sink.word(text, part, index, hash);
  if (part !== start) {
    sink.word(text, start, index, hashOf(text, start, index));
  }
  return index;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = emptyHash;
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ lowerCode(text.charCodeAt(index)), 0x01000193);
  }
  return hash;
}

function lowerCode(code: number): number {
  if (code < 128) {
    return asciiClasses[code] === upper ? code | 32 : code;
  }
  return String.fromCharCode(code).toLowerCase().charCodeAt(0);
}

function classOf(code: number): number {
  if ((code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)) {
    return single;
  }
  const character = String.fromCharCode(code);
  // halves of surrogate pairs stay together as one word
  const isWord = /[\p{L}\p{N}\p{M}]/u.test(character) || (code >= 0xd800 && code <= 0xdfff);
  return isWord ? lower : none;
}
