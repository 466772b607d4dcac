/** A drawing of lines, heads and words on a grid of cells as a picture: an SVG without styles, links or anything that runs. */
import type { Span } from 'grok-mermaid';
import { showHidden } from '../../base/text/showHidden.js';
import { toWellFormed } from '../../base/text/wellFormed.js';
import {
  cellHeight,
  cellsOfGrapheme,
  cellWidth,
  Drawing,
  graphemesOf,
  isTooLarge,
  margin,
  type Picture,
  type PictureColors,
  round,
  visible,
} from './drawing.js';

/** From a cell's edge to the middle of its line, which fills whole pixels. */
const middleX = 4.5;
const middleY = 9.5;

type Side = 'u' | 'd' | 'l' | 'r';
type Stroke = 'thin' | 'thick' | 'dotted';

/** Sides to which the lines of a character lead. */
const lines = new Map<string, readonly [sides: string, stroke: Stroke]>(
  (
    [
      ['thin', '─lr │ud ┌dr ┐dl └ur ┘ul ├udr ┤udl ┬dlr ┴ulr ┼udlr ╭dr ╮dl ╰ur ╯ul'],
      ['thick', '━lr ┃ud ┏dr ┓dl ┗ur ┛ul ┣udr ┫udl ┳dlr ┻ulr ╋udlr'],
      ['dotted', '╌lr ╎ud'],
    ] as const
  ).flatMap(([stroke, table]) =>
    table.split(' ').map((one) => [one.slice(0, 1), [one.slice(1), stroke]] as const),
  ),
);
/** Where the tip of a head points; hollow ones are white in the character. */
const heads = new Map<string, readonly [side: Side, isHollow: boolean]>([
  ['▼', ['d', false]],
  ['▲', ['u', false]],
  ['▶', ['r', false]],
  ['◄', ['l', false]],
  ['▽', ['d', true]],
  ['△', ['u', true]],
  ['▷', ['r', true]],
  ['◁', ['l', true]],
]);

/** `undefined` when it is too large. */
export function pictureOf(
  rows: readonly (readonly Span[])[],
  columns: number,
  colors: PictureColors,
): Picture | undefined {
  const width = Math.ceil(columns * cellWidth + 2 * margin);
  const height = Math.ceil(rows.length * cellHeight + 2 * margin);
  if (isTooLarge(columns * cellWidth, rows.length * cellHeight)) {
    return undefined;
  }
  const parts = new PictureParts(new Drawing(colors));
  for (const [row, spans] of rows.entries()) {
    let column = 0;
    for (const { text, cls } of spans) {
      column =
        cls === 'edge' || cls === 'border'
          ? parts.addLines(text, column, row)
          : parts.addWords(text, column, row, cls === 'edgeLabel');
    }
  }
  return parts.drawing.picture(width, height);
}

class PictureParts {
  constructor(readonly drawing: Drawing) {}

  /** @returns the column behind it. */
  addLines(text: string, column: number, row: number): number {
    let at = column;
    for (const segment of graphemesOf(text)) {
      const left = margin + at * cellWidth;
      const top = margin + row * cellHeight;
      if (segment !== ' ' && !this.addSign(segment, left, top)) {
        this.addText(showHidden(toWellFormed(segment)), at, row, 1, false);
      }
      at += cellsOfGrapheme(segment);
    }
    return at;
  }

  /** @returns the column behind it. */
  addWords(text: string, column: number, row: number, isLabel: boolean): number {
    const segments = graphemesOf(text);
    const widths = segments.map(cellsOfGrapheme);
    const total = widths.reduce((sum, one) => sum + one, 0);
    const word = visible(text);
    if (word !== '') {
      const before = segments.findIndex((one) => one.trim() !== '');
      const behind = segments.length - 1 - segments.findLastIndex((one) => one.trim() !== '');
      this.drawing.words.push(word);
      this.addText(word, column + before, row, total - before - behind, isLabel);
    }
    return column + total;
  }

  private addText(
    text: string,
    column: number,
    row: number,
    columns: number,
    isLabel: boolean,
  ): void {
    const x = margin + column * cellWidth;
    const middle = margin + (row + 0.5) * cellHeight;
    this.drawing.addText(text, x, middle, { cells: columns, isLabel });
  }

  /** @returns false for what is no line and no head. */
  private addSign(sign: string, left: number, top: number): boolean {
    const x = left + middleX;
    const y = top + middleY;
    const found = lines.get(sign);
    const head = heads.get(sign);
    if (found) {
      const [sides, stroke] = found;
      this.drawing.addPath(stroke, linePath(sides, left, top));
    } else if (head) {
      this.addHead(head, x, y);
    } else if (sign === '◆' || sign === '◇') {
      const d = `M${x} ${top + 2}l4 7.5l-4 7.5l-4 -7.5z`;
      this.drawing.addPath(sign === '◆' ? 'filled' : 'hollow', d);
    } else if (sign === '×') {
      this.drawing.addPath('thin', `M${round(x - 3.5)} ${round(y - 3.5)}l7 7m0 -7l-7 7`);
    } else {
      return false;
    }
    return true;
  }

  /** Its tip touches the line in the middle of the next cell. */
  private addHead([side, isHollow]: readonly [Side, boolean], x: number, y: number): void {
    const isUpright = side === 'u' || side === 'd';
    const sign = side === 'u' || side === 'l' ? -1 : 1;
    const length = 8;
    const [tipX, tipY] = isUpright ? [x, y + sign * cellHeight] : [x + sign * cellWidth, y];
    const back = -sign * length;
    const d = isUpright ? `l-4 ${back}h8z` : `l${back} -4v8z`;
    this.drawing.addPath(isHollow ? 'hollow' : 'filled', `M${round(tipX)} ${round(tipY)}${d}`);
    const base = isUpright ? tipY + back : tipX + back;
    const from = isUpright
      ? `M${round(x)} ${sign > 0 ? y - middleY : y - middleY + cellHeight}V${round(base)}`
      : `M${sign > 0 ? x - middleX : x - middleX + cellWidth} ${round(y)}H${round(base)}`;
    this.drawing.addPath('thin', from);
  }
}

/** Opposite sides are one line, and two others a corner. */
function linePath(sides: string, left: number, top: number): string {
  const ends: Readonly<Record<Side, string>> = {
    u: `${left + middleX} ${top}`,
    d: `${left + middleX} ${top + cellHeight}`,
    l: `${left} ${top + middleY}`,
    r: `${left + cellWidth} ${top + middleY}`,
  };
  const has = (side: Side) => sides.includes(side);
  const middle = `${left + middleX} ${top + middleY}`;
  const through = (['ud', 'lr'] as const).filter(
    (pair) => has(pair[0] as Side) && has(pair[1] as Side),
  );
  const rest = [...sides].filter((side) => !through.some((pair) => pair.includes(side))) as Side[];
  return [
    ...through.map((pair) => `M${ends[pair[0] as Side]}L${ends[pair[1] as Side]}`),
    ...(rest.length === 2
      ? [`M${ends[rest[0] as Side]}L${middle}L${ends[rest[1] as Side]}`]
      : rest.map((side) => `M${middle}L${ends[side]}`)),
  ].join('');
}
