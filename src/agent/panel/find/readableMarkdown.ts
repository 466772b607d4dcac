/** The words of a Markdown text as a page shows them, nearly: what only says how they look is left out. */

const fenceLine = /^ {0,3}(```+|~~~+)/;
const linkTarget = /\]\([^()\s]*\)/g;

/** Goes through the text once, line by line. What stands in code stays as it is. */
export function readableMarkdown(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const [, mark] = fenceLine.exec(line) ?? [];
      if (fence !== undefined) {
        const isEnd = mark?.startsWith(fence) === true && line.trim() === mark;
        fence = isEnd ? undefined : fence;
        return isEnd ? '' : line;
      }
      fence = mark;
      return mark === undefined ? readableLine(line) : '';
    })
    .join('\n');
}

function readableLine(line: string): string {
  return line
    .replace(/^ {0,3}(?:#{1,6} |> ?|[-*+] )/, '')
    .replace(linkTarget, '')
    .replace(/\*\*|__|~~|[`[]/g, '');
}
