/** A drawing of lines, heads and words on a grid of cells as a picture: an SVG without styles, links or anything that runs. */
import type { Span } from 'grok-mermaid';
import { showHidden } from '../../base/text/showHidden.js';
import { toWellFormed } from '../../base/text/wellFormed.js';

export interface PictureColors {
  readonly text: string;
  readonly line: string;
  readonly label: string;
}

export interface Picture {
  readonly svg: string;
  /** What is written in it, in reading order. */
  readonly words: readonly string[];
}

/** CSS pixels of a cell. */
const cellWidth = 8;
const cellHeight = 18;
const fontSize = 13;
/** From a cell's edge to the middle of its line, which fills whole pixels. */
const middleX = 4.5;
const middleY = 9.5;
const margin = 8;
/** More cells are no picture that anybody looks at. */
const maxCells = 400_000;

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
/** Take two cells. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;

/** `undefined` when it is too large. */
export function pictureOf(
  rows: readonly (readonly Span[])[],
  columns: number,
  colors: PictureColors,
): Picture | undefined {
  if (rows.length * columns > maxCells) {
    return undefined;
  }
  const parts = new PictureParts();
  for (const [row, spans] of rows.entries()) {
    let column = 0;
    for (const { text, cls } of spans) {
      column =
        cls === 'edge' || cls === 'border'
          ? parts.addLines(text, column, row)
          : parts.addWords(text, column, row, cls === 'edgeLabel');
    }
  }
  const width = Math.ceil(columns * cellWidth + 2 * margin);
  const height = Math.ceil(rows.length * cellHeight + 2 * margin);
  return { svg: parts.svg(width, height, colors), words: parts.words };
}

class PictureParts {
  private readonly paths: Record<Stroke | 'filled' | 'hollow', string[]> = {
    thin: [],
    thick: [],
    dotted: [],
    filled: [],
    hollow: [],
  };
  private readonly texts: string[] = [];
  readonly words: string[] = [];

  /** @returns the column behind it. */
  addLines(text: string, column: number, row: number): number {
    let at = column;
    for (const { segment } of graphemes(text)) {
      const left = margin + at * cellWidth;
      const top = margin + row * cellHeight;
      if (segment !== ' ' && !this.addSign(segment, left, top)) {
        this.addText(showHidden(toWellFormed(segment)), at, row, 1, false);
      }
      at += wide.test(segment) ? 2 : 1;
    }
    return at;
  }

  /** @returns the column behind it. */
  addWords(text: string, column: number, row: number, isLabel: boolean): number {
    const segments = [...graphemes(text)].map(({ segment }) => segment);
    const widths = segments.map((one) => (wide.test(one) ? 2 : 1));
    const total = widths.reduce((sum, one) => sum + one, 0);
    const word = showHidden(toWellFormed(text.trim()));
    if (word !== '') {
      const before = segments.findIndex((one) => one.trim() !== '');
      const behind = segments.length - 1 - segments.findLastIndex((one) => one.trim() !== '');
      this.words.push(word);
      this.addText(word, column + before, row, total - before - behind, isLabel);
    }
    return column + total;
  }

  svg(width: number, height: number, colors: PictureColors): string {
    const line = escaped(colors.line);
    const path = (kind: keyof PictureParts['paths'], attributes: string) =>
      this.paths[kind].length > 0 ? `<path d="${this.paths[kind].join('')}" ${attributes}/>` : '';
    const stroke = `fill="none" stroke="${line}"`;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
      path('thin', `${stroke} stroke-width="1"`),
      path('thick', `${stroke} stroke-width="2"`),
      path('dotted', `fill="none" stroke="${line}" stroke-width="1" stroke-dasharray="3 3"`),
      path('filled', `fill="${line}" stroke="${line}"`),
      path('hollow', `fill="none" stroke="${line}"`),
      `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="${fontSize}" fill="${escaped(colors.text)}">`,
      ...this.texts.map((text) => text.replace('{label}', escaped(colors.label))),
      '</g></svg>',
    ].join('');
  }

  private addText(
    text: string,
    column: number,
    row: number,
    columns: number,
    isLabel: boolean,
  ): void {
    const x = round(margin + column * cellWidth);
    const y = round(margin + (row + 0.5) * cellHeight + fontSize * 0.35);
    const length = round(columns * cellWidth);
    const fill = isLabel ? ' fill="{label}"' : '';
    this.texts.push(
      `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${fill}>${escaped(text)}</text>`,
    );
  }

  /** @returns false for what is no line and no head. */
  private addSign(sign: string, left: number, top: number): boolean {
    const x = left + middleX;
    const y = top + middleY;
    const found = lines.get(sign);
    const head = heads.get(sign);
    if (found) {
      const [sides, stroke] = found;
      this.paths[stroke].push(linePath(sides, left, top));
    } else if (head) {
      this.addHead(head, x, y);
    } else if (sign === '◆' || sign === '◇') {
      const d = `M${x} ${top + 2}l4 7.5l-4 7.5l-4 -7.5z`;
      this.paths[sign === '◆' ? 'filled' : 'hollow'].push(d);
    } else if (sign === '×') {
      this.paths.thin.push(`M${round(x - 3.5)} ${round(y - 3.5)}l7 7m0 -7l-7 7`);
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
    this.paths[isHollow ? 'hollow' : 'filled'].push(`M${round(tipX)} ${round(tipY)}${d}`);
    const base = isUpright ? tipY + back : tipX + back;
    const from = isUpright
      ? `M${round(x)} ${sign > 0 ? y - middleY : y - middleY + cellHeight}V${round(base)}`
      : `M${sign > 0 ? x - middleX : x - middleX + cellWidth} ${round(y)}H${round(base)}`;
    this.paths.thin.push(from);
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

function graphemes(text: string): Intl.Segments {
  return new Intl.Segmenter().segment(text);
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
