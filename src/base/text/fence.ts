/** A Markdown code block that the text cannot end. @param language Default: none. */
export function fence(text: string, language = ''): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, ticks.length);
  }
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}
