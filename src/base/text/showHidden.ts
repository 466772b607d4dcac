/** The text with escapes for what hides or turns text; line ends stay. JSON reads the escapes as what they stand for. */
export function showHidden(text: string): string {
  return text.replace(hidden, escapeUnits);
}

/** As {@link showHidden}, with line ends escaped, too: for names and paths, which keep to one line. */
export function showHiddenInLine(text: string): string {
  return showHidden(text).replaceAll('\n', '\\n');
}

/** Whether something in the text cannot be seen, or turns what follows; line ends count. */
export function hidesText(text: string): boolean {
  return text.includes('\n') || showHidden(text) !== text;
}

/** Offset of the first such character; blanks, tabs and line ends are none. `undefined`: there is none. */
export function hiddenAt(text: string): number | undefined {
  const at = text.replace(/[\t\r]/g, ' ').search(hidden);
  return at === -1 ? undefined : at;
}

/** Nothing is to be seen of them, or they look like a blank, or they turn what follows. */
const hidden =
  /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u2800\u{13441}\u{13442}]|(?![ ])\p{Zs}|(?![\n])\p{Cc}/gu;

/** As JSON escapes it. */
export function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_item, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
