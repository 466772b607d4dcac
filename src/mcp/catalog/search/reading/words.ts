/** What may be a word; everything beyond ASCII is looked at by {@link wordsOfRun}, once for each run. */
const runs = /[A-Za-z0-9\x80-\uffff]+/g;
/** Scripts in which every character is a word by itself, as Chinese. */
const single = String.raw`\u3040-\u30ff\u3400-\u9fff`;
// emoji and rare letters are words too
const letters = new RegExp(
  String.raw`[${single}]|(?:(?![${single}])[\p{L}\p{N}\p{M}\u{10000}-\u{10ffff}])+`,
  'gu',
);
/** Digits count as lower-case letters: `base64` is one word. The last capital of a row begins the next part. */
const parts = /[A-Z]+(?![^A-Z])|[A-Z]?[^A-Z]+/g;

/** Whether a character, by its UTF-16 code, is one of such a piece. */
export function isOfRun(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code >= 128
  );
}

/** Most are like this. */
const oneWord = /^[A-Z]?[a-z0-9]+$/;

/** The pieces of a text that hold words, as they are written, in order and with repetitions. */
export function wordRuns(text: string): readonly string[] {
  return text.match(runs) ?? [];
}

/**
 * The words of such a piece in lower case: runs of letters and digits. `camelCase` and `HTTPServer` give their parts and
 * the whole, so that `GitHub` is found as `github`, `git` and `hub`.
 */
export function wordsOfRun(run: string): readonly string[] {
  if (oneWord.test(run)) {
    return [run.toLowerCase()];
  }
  return lettersOf(run).flatMap((word) => {
    const found = partsOf(word);
    return (found.length > 1 ? [...found, word] : [word]).map((one) => one.toLowerCase());
  });
}

/** The same without the wholes. */
export function partsOfRun(run: string): readonly string[] {
  return lettersOf(run)
    .flatMap(partsOf)
    .map((part) => part.toLowerCase());
}

function lettersOf(run: string): readonly string[] {
  return run.match(letters) ?? [];
}

function partsOf(word: string): readonly string[] {
  return word.match(parts) ?? [];
}
