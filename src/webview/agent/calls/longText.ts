import { html, type TemplateResult } from 'lit-html';

/** Characters of one piece, and of a text that is drawn as it is. */
const pieceLength = 16_000;

/** In pieces of whole lines, of which the browser lays out those in sight alone. */
export function longText(text: string): TemplateResult | string {
  if (text.length <= 2 * pieceLength) {
    return text;
  }
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at + pieceLength);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return html`${pieces.map((piece) => html`<span class="text-piece">${piece}</span>`)}`;
}
