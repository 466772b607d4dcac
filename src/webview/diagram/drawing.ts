/** A picture of paths and words: an SVG without styles, links or anything that runs. */
import { addTo } from '../../base/lists.js';
import { escapeHtml } from '../../base/text/escapeHtml.js';
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

/** @param kind of a diagram whose source was read. `isWhole`: every line of it was understood. */
export interface DrawnSource extends Picture {
  readonly isWhole: boolean;
}

/** CSS pixels of a cell, of which a letter takes one and a wide character two. */
export const cellWidth = 8;
export const cellHeight = 18;
export const margin = 8;
const fontSize = 13;
/** More cells are no picture that anybody looks at. */
const maxCells = 400_000;

/** Take two cells. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;

/** Lines, and shapes that are filled with the colour of lines, or with a shade of it. */
const looks = {
  pale: 'fill="{line}" fill-opacity="0.12" stroke="none"',
  medium: 'fill="{line}" fill-opacity="0.3" stroke="none"',
  dark: 'fill="{line}" fill-opacity="0.5" stroke="none"',
  thin: 'fill="none" stroke="{line}" stroke-width="1"',
  thick: 'fill="none" stroke="{line}" stroke-width="2"',
  dotted: 'fill="none" stroke="{line}" stroke-width="1" stroke-dasharray="3 3"',
  filled: 'fill="{line}" stroke="{line}"',
  hollow: 'fill="none" stroke="{line}"',
} as const;
export type Look = keyof typeof looks;

export function cellsOf(text: string): number {
  return graphemesOf(text).reduce((sum, one) => sum + cellsOfGrapheme(one), 0);
}

export function cellsOfGrapheme(grapheme: string): number {
  return wide.test(grapheme) ? 2 : 1;
}

export function graphemesOf(text: string): readonly string[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
}

/** As it is drawn. */
export function visible(text: string): string {
  return showHidden(toWellFormed(text.trim()));
}

export function isTooLarge(width: number, height: number): boolean {
  return width * height > maxCells * cellWidth * cellHeight;
}

export class Drawing {
  private readonly paths = new Map<Look, string[]>();
  private readonly texts: string[] = [];
  readonly words: string[] = [];

  constructor(private readonly colors: PictureColors) {}

  addPath(look: Look, d: string): void {
    addTo(this.paths, look, d);
  }

  /** @param middle of its line @param cells that it fills */
  addText(
    text: string,
    x: number,
    middle: number,
    { cells = cellsOf(text), isLabel = false } = {},
  ): void {
    const y = round(middle + fontSize * 0.35);
    const fill = isLabel ? ` fill="${escapeHtml(this.colors.label)}"` : '';
    this.texts.push(
      `<text x="${round(x)}" y="${y}" textLength="${round(cells * cellWidth)}" lengthAdjust="spacingAndGlyphs"${fill}>${escapeHtml(text)}</text>`,
    );
  }

  /** A text that is also said to those who do not see it. */
  addWord(text: string, x: number, middle: number, isLabel = false): void {
    this.words.push(text);
    this.addText(text, x, middle, { isLabel });
  }

  picture(width: number, height: number): Picture {
    const line = escapeHtml(this.colors.line);
    const paths = (Object.keys(looks) as Look[]).flatMap((look) => {
      const parts = this.paths.get(look);
      return parts
        ? [`<path d="${parts.join('')}" ${looks[look].replaceAll('{line}', line)}/>`]
        : [];
    });
    const svg = [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
      ...paths,
      `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="${fontSize}" fill="${escapeHtml(this.colors.text)}">`,
      ...this.texts,
      '</g></svg>',
    ].join('');
    return { svg, words: this.words };
  }
}

export function round(length: number): number {
  return Math.round(length * 10) / 10;
}
