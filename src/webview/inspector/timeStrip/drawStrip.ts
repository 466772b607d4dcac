/** Draws the strip, in the colours of the theme. */
import { countText } from '../../shared/numbers.js';
import type { InspectorPageState } from '../pageState.js';
import { type Bar, barsOf, type Tone } from './bars.js';
import { type Stack, stackOf } from './stack.js';
import { type Lane, lanes, marksOf, type TimeRange, xOf } from './timeScale.js';

/** CSS pixels. */
const laneGap = 3;
const markHeight = 14;
const maxMore = 99;

/** Of one line, of which a lane has one or more: with room above each bar for what failed, seen without its colour. */
interface LineSize {
  readonly height: number;
  readonly flag: number;
}

function sizeOf(depth: number): LineSize {
  return depth === 1 ? { height: 16, flag: 4 } : { height: 11, flag: 3 };
}

function laneHeight(lane: Lane, { depths }: Stack): number {
  return depths[lane] * sizeOf(depths[lane]).height;
}

function topOf(lane: Lane, line: number, stack: Stack): number {
  const above = lanes.slice(0, lanes.indexOf(lane));
  const top = above.reduce((sum, one) => sum + laneHeight(one, stack) + laneGap, 0);
  return top + line * sizeOf(stack.depths[lane]).height;
}

function bottomOf(stack: Stack): number {
  return lanes.reduce((sum, lane) => sum + laneHeight(lane, stack) + laneGap, 0);
}

export function placeAt(y: number, stack: Stack): { readonly lane: Lane; readonly line: number } {
  const lane = lanes.findLast((one) => topOf(one, 0, stack) <= y) ?? 'sent';
  const line = Math.floor((y - topOf(lane, 0, stack)) / sizeOf(stack.depths[lane]).height);
  return { lane, line: Math.min(stack.depths[lane] - 1, Math.max(0, line)) };
}

const stacks = new WeakMap<InspectorPageState['passing'], { extent: TimeRange; stack: Stack }>();

/** Worked out once for what is drawn more than once. */
export function stackFor(passing: InspectorPageState['passing'], extent: TimeRange): Stack {
  const known = stacks.get(passing);
  if (known?.extent === extent) {
    return known.stack;
  }
  const stack = stackOf(passing, extent);
  stacks.set(passing, { extent, stack });
  return stack;
}

type Colors = Readonly<Record<Tone | 'text' | 'line' | 'selected' | 'shade', string>>;

/** @param sight what is drawn @param extent of all that could be */
export function drawStrip(
  canvas: HTMLCanvasElement,
  { passing, open, range }: Pick<InspectorPageState, 'passing' | 'open' | 'range'>,
  sight: TimeRange,
  extent: TimeRange,
): void {
  const context = canvas.getContext('2d');
  const width = canvas.clientWidth;
  if (!context || width === 0) {
    return;
  }
  const stack = stackFor(passing, extent);
  const bottom = bottomOf(stack);
  const density = window.devicePixelRatio || 1;
  canvas.style.height = `${bottom + markHeight}px`;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round((bottom + markHeight) * density);
  context.scale(density, density);
  const colors = colorsOf(canvas);
  const place = { sight, extent, width, stack };
  drawMarks(context, place, bottom, colors);
  for (const bar of barsOf(passing, place)) {
    drawBar(context, bar, stack, colors);
  }
  const selected = open && passing.find(({ id }) => id === open.id);
  if (selected) {
    context.strokeStyle = colors.selected;
    context.lineWidth = 2;
    for (const { lane, line, x, width: length } of barsOf([selected], place)) {
      const { height } = sizeOf(stack.depths[lane]);
      context.strokeRect(x - 2, topOf(lane, line, stack) + 1, length + 4, height - 1);
    }
  }
  if (range) {
    drawRange(
      context,
      xOf(range.from, sight, width),
      xOf(range.to, sight, width),
      width,
      bottom,
      colors,
    );
  }
}

function drawBar(
  context: CanvasRenderingContext2D,
  { lane, line, x, width, tone, more }: Bar,
  stack: Stack,
  colors: Colors,
): void {
  const { height, flag } = sizeOf(stack.depths[lane]);
  const y = topOf(lane, line, stack);
  context.fillStyle = colors[tone];
  if (tone === 'open' || more !== undefined) {
    context.strokeStyle = colors[tone];
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + flag + 0.5, width - 1, height - flag - 1);
  } else {
    context.fillRect(x, y + flag, width, height - flag);
  }
  if (tone === 'error' || tone === 'trouble') {
    context.fillRect(x, y, Math.max(width, 3), flag - 1);
  }
  if (more !== undefined) {
    drawMore(
      context,
      more > maxMore ? `+${maxMore}…` : `+${more}`,
      { x, y, width, height },
      colors,
    );
  }
}

/** How many entries share a bar, in it or beside it. */
function drawMore(
  context: CanvasRenderingContext2D,
  text: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  colors: Colors,
): void {
  const length = context.measureText(text).width;
  const isInside = length + 6 <= width;
  const left = isInside ? x + (width - length) / 2 : x + width + 2;
  context.fillStyle = colors.shade;
  context.fillRect(left - 1, y, length + 2, height);
  context.fillStyle = colors.text;
  context.fillText(text, left, y + height + 1);
}

function drawMarks(
  context: CanvasRenderingContext2D,
  { sight, extent, width }: { sight: TimeRange; extent: TimeRange; width: number },
  bottom: number,
  colors: Colors,
): void {
  const height = bottom + markHeight;
  context.font = `10px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = 'bottom';
  for (const ms of marksOf(sight, extent, width)) {
    const x = Math.round(xOf(extent.from + ms, sight, width)) + 0.5;
    context.fillStyle = colors.line;
    context.fillRect(x, 0, 1, height);
    context.fillStyle = colors.text;
    const text = markText(ms);
    if (x + 3 + context.measureText(text).width <= width) {
      context.fillText(text, x + 3, height);
    }
  }
  context.fillStyle = colors.line;
  context.fillRect(0, bottom, width, 1);
}

/** What is outside is covered. */
function drawRange(
  context: CanvasRenderingContext2D,
  from: number,
  to: number,
  width: number,
  bottom: number,
  colors: Colors,
): void {
  context.globalAlpha = 0.65;
  context.fillStyle = colors.shade;
  context.fillRect(0, 0, Math.max(0, from), bottom);
  context.fillRect(Math.min(width, to), 0, Math.max(0, width - to), bottom);
  context.globalAlpha = 1;
  context.fillStyle = colors.selected;
  context.fillRect(from - 1, 0, 2, bottom);
  context.fillRect(to - 1, 0, 2, bottom);
}

/** After the first entry. */
export function markText(ms: number): string {
  if (ms < 1_000) {
    return `${countText(Math.round(ms * 1_000) / 1_000)} ms`;
  }
  const seconds = ms / 1_000;
  if (seconds < 120) {
    return `${countText(Math.round(seconds * 1_000) / 1_000)} s`;
  }
  return `${countText(Math.round((seconds / 60) * 100) / 100)} min`;
}

function colorsOf(element: Element): Colors {
  const style = getComputedStyle(element);
  const color = (...names: readonly string[]) =>
    names.map((name) => style.getPropertyValue(`--vscode-${name}`).trim()).find(Boolean) ??
    style.color;
  return {
    plain: color('charts-blue', 'textLink-foreground'),
    open: color('charts-foreground', 'descriptionForeground'),
    trouble: color('charts-yellow', 'editorWarning-foreground'),
    error: color('charts-red', 'errorForeground'),
    text: color('descriptionForeground'),
    line: color('contrastBorder', 'panel-border', 'widget-border'),
    selected: color('focusBorder', 'contrastActiveBorder'),
    shade: color('editor-background'),
  };
}
