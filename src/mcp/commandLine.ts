/**
 * An argument vector as one line that shows where each argument ends and hides nothing: blanks are quoted, control,
 * zero-width and direction-changing characters are written as escapes. For display; not meant for a shell.
 */
export function commandLine(argv: readonly string[]): string {
  return argv
    .map((arg) => (/^[^\s"'\p{C}]+$/u.test(arg) ? arg : visible(JSON.stringify(arg))))
    .join(' ');
}

function visible(text: string): string {
  return text.replace(
    /[\p{C}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
