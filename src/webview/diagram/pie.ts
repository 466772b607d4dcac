import { largest } from '../../base/lists.js';
import {
  cellHeight,
  cellsOf,
  cellWidth,
  Drawing,
  type DrawnSource,
  isTooLarge,
  type Look,
  margin,
  type PictureColors,
  round,
  visible,
} from './drawing.js';

interface Slice {
  readonly name: string;
  readonly value: number;
}

interface Pie {
  readonly title: string;
  readonly slices: readonly Slice[];
  readonly isWhole: boolean;
}

const radius = 90;
/** Between the circle and the names beside it. */
const gap = 28;
const shades: readonly Look[] = ['pale', 'medium', 'dark'];

/** @param statements the header first. `undefined`: nothing of it is understood, or it is too large. */
export function drawPie(
  statements: readonly string[],
  colors: PictureColors,
): DrawnSource | undefined {
  const { title, slices, isWhole } = readPie(statements);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  if (!(total > 0 && Number.isFinite(total))) {
    return undefined;
  }
  let angle = 0;
  const sectors = slices.map(({ name, value }, at) => {
    const from = angle;
    angle += (value / total) * 2 * Math.PI;
    return { name, from, to: angle, middle: (from + angle) / 2, at };
  });
  const isRight = ({ middle }: { readonly middle: number }) => middle < Math.PI;
  const left = sectors.filter((one) => !isRight(one)).reverse();
  const right = sectors.filter(isRight);
  const top = margin + (title === '' ? 0 : 2 * cellHeight);
  const height = Math.max(
    2 * radius + 2 * cellHeight,
    Math.max(left.length, right.length) * cellHeight,
  );
  const leftWidth = widest(left);
  const cx = margin + leftWidth + gap + radius;
  const cy = top + height / 2;
  const width = Math.ceil(
    Math.max(cx + radius + gap + widest(right), margin + cellsOf(title) * cellWidth) + margin,
  );
  const bottom = Math.ceil(top + height + margin);
  if (isTooLarge(width, bottom)) {
    return undefined;
  }
  const drawing = new Drawing(colors);
  if (title !== '') {
    drawing.addWord(title, margin, margin + cellHeight / 2);
  }
  const shown = sectors.filter(({ from, to }) => to > from);
  for (const [index, { from, to }] of shown.entries()) {
    const d = sectorPath(cx, cy, from, to);
    // the last one touches the first one
    const isLike = shown.length % shades.length === 1 && index === shown.length - 1;
    drawing.addPath(shades[(index + Number(isLike)) % shades.length] ?? 'pale', d);
    drawing.addPath('thin', d);
  }
  for (const [side, isOnRight] of [
    [right, true],
    [left, false],
  ] as const) {
    const sign = isOnRight ? 1 : -1;
    const wished = side.map(({ middle }) => cy - Math.cos(middle) * (radius + 12));
    const places = spread(wished, top + cellHeight / 2, top + height - cellHeight / 2);
    for (const [index, { name, middle }] of side.entries()) {
      const y = round(places[index] ?? cy);
      const edge = cx + sign * (radius + gap - 4);
      const [x, from] = pointAt(cx, cy, middle, radius);
      const [bendX, bendY] = pointAt(cx, cy, middle, radius + 6);
      drawing.addPath('thin', `M${x} ${from}L${bendX} ${bendY}L${round(edge)} ${y}`);
      const start = isOnRight ? cx + radius + gap : margin + leftWidth - cellsOf(name) * cellWidth;
      drawing.addWord(name, start, y);
    }
  }
  return { ...drawing.picture(width, bottom), isWhole };

  function widest(side: readonly { readonly name: string }[]): number {
    const cells = side.map(({ name }) => cellsOf(name));
    return largest(cells, 0) * cellWidth;
  }
}

function readPie([header = '', ...lines]: readonly string[]): Pie {
  const slices: Slice[] = [];
  let [, showData, title = ''] = /^\s*pie(\s+showData)?(?:\s+title\s(.*))?/.exec(header) ?? [];
  let isWhole = true;
  for (const line of lines.map((one) => one.trim())) {
    const [, name, value] = /^"([^"]*)"\s*:\s*(\d+(?:\.\d+)?)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      slices.push({ name: visible(name), value: Number(value) });
    } else if (line.startsWith('title ')) {
      title = line.slice('title '.length);
    } else if (line === 'showData') {
      showData = line;
    } else if (!/^acc(?:Title|Descr)\s*:/.test(line)) {
      isWhole = false;
    }
  }
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const named = slices.map(({ name, value }) => {
    const share = `${round((value / total) * 100)} %`;
    return { name: `${name}: ${showData ? `${value} (${share})` : share}`, value };
  });
  return { title: visible(title), slices: named, isWhole };
}

/** Clockwise from the top. */
function pointAt(cx: number, cy: number, angle: number, distance: number): readonly number[] {
  return [round(cx + Math.sin(angle) * distance), round(cy - Math.cos(angle) * distance)];
}

function sectorPath(cx: number, cy: number, from: number, to: number): string {
  const [x, y] = pointAt(cx, cy, from, radius);
  if (to - from > 2 * Math.PI - 0.001) {
    const bottom = cy + radius;
    return `M${round(cx)} ${round(cy - radius)}A${radius} ${radius} 0 0 1 ${round(cx)} ${round(bottom)}A${radius} ${radius} 0 0 1 ${round(cx)} ${round(cy - radius)}z`;
  }
  const [endX, endY] = pointAt(cx, cy, to, radius);
  const isLarge = to - from > Math.PI ? 1 : 0;
  return `M${round(cx)} ${round(cy)}L${x} ${y}A${radius} ${radius} 0 ${isLarge} 1 ${endX} ${endY}z`;
}

/** Lines of text near their places, from top to bottom, that do not cover each other. */
function spread(wished: readonly number[], from: number, to: number): readonly number[] {
  const places: number[] = [];
  for (const [index, y] of wished.entries()) {
    const least = index === 0 ? from : (places[index - 1] ?? from) + cellHeight;
    places.push(Math.max(y, least));
  }
  let most = to;
  for (let index = places.length - 1; index >= 0; index--) {
    places[index] = Math.min(places[index] ?? most, most);
    most = (places[index] ?? most) - cellHeight;
  }
  return places;
}
