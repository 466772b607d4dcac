/**
 * Text as Markdown that shows it literally. Unlike VS Code's `appendText` it keeps single spaces as they are: a line with
 * nothing but no-break spaces is broken inside of its words.
 */
export function literalMarkdown(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/[\\`*_{}[\]()#+\-!~<>|]/g, '\\$&')
    .replace(/^(\s*\d+)\./gm, '$1\\.')
    .replace(/^[ \t]+|(?<=[ \t])[ \t]+/gm, (spaces) => '&nbsp;'.repeat(spaces.length))
    .replace(/\r?\n/g, '\n\n');
}

/** A link that runs a command. Names of servers may stand in all of it: nothing in them ends it. */
export function commandLink({
  title,
  command,
  argument,
}: {
  readonly title: string;
  readonly command: string;
  readonly argument: string;
}): string {
  const query = encodeURIComponent(JSON.stringify([argument])).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `[${literalMarkdown(title).replace(/\s+/g, ' ')}](command:${command}?${query})`;
}
