/**
 * Markdown of a server without what reaches beyond it: its links, pictures and HTML become text, and a block of code
 * that it leaves open is closed.
 */
export function plainMarkdown(text: string): string {
  // addresses in plain text become links as well
  const escaped = text.replace(
    /[<>[\]!&@]|(?<=:)\/|(?<=www)\./g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
  const fences = escaped.match(/^ {0,3}(?:```|~~~)/gm) ?? [];
  return fences.length % 2 === 1 ? `${escaped}\n${fences.at(-1)?.trim()}` : escaped;
}

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
