/** Finds a text in what the page has drawn of an entry, and shows where. */
import { foundPlaces, searchedPlaces, searchedText } from '../../../base/text/searched.js';

const blocks = 'p,li,pre,td,th,h1,h2,h3,h4,h5,h6,blockquote,div,dd,dt';
/** No words of the conversation. */
const left = '[aria-hidden="true"],.diff-sign,button,.visually-hidden';

/** Of each time that the query stands in the part, in order. */
export function foundRanges(part: Element, query: string): readonly Range[] {
  const { text, pieces } = textOf(part);
  const searched = searchedPlaces(text);
  const wanted = searchedText(query);
  return foundPlaces(wanted, searched.text).flatMap((place) => {
    const first = searched.at[place] ?? 0;
    const last = searched.at[place + wanted.length - 1] ?? first;
    const range = document.createRange();
    const start = pieceAt(pieces, first);
    const end = pieceAt(pieces, last);
    if (!start || !end) {
      return [];
    }
    range.setStart(start.node, Math.min(first - start.from, start.node.length));
    range.setEnd(end.node, Math.min(last - end.from + 1, end.node.length));
    return [range];
  });
}

interface Piece {
  readonly node: Text;
  /** Where it begins in the text. */
  readonly from: number;
}

/** Blocks are lines of their own. */
function textOf(part: Element): { readonly text: string; readonly pieces: readonly Piece[] } {
  const pieces: Piece[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node instanceof Text && parent && !parent.closest(left)) {
      const next = parent.closest(blocks);
      text += text !== '' && next !== block ? '\n' : '';
      block = next;
      pieces.push({ node, from: text.length });
      text += node.data;
    }
  }
  return { text, pieces };
}

function pieceAt(pieces: readonly Piece[], place: number): Piece | undefined {
  return pieces.findLast(({ from }) => from <= place);
}

/** The rest of the page is not touched, so that what is drawn anew meanwhile loses nothing. */
export function showRanges(found: readonly Range[], current: Range | undefined): void {
  CSS.highlights.set('pi-mcp-found', new Highlight(...found));
  CSS.highlights.set('pi-mcp-found-current', new Highlight(...(current ? [current] : [])));
}

export function hideRanges(): void {
  CSS.highlights.delete('pi-mcp-found');
  CSS.highlights.delete('pi-mcp-found-current');
}
