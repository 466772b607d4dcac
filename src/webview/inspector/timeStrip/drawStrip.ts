/** Draws the strip, in the colours of the theme. */
import { countText } from '../../shared/numbers.js';
import type { PageState } from '../pageState.js';
import { barsOf, type Lane, lanes, marksOf, type TimeRange, type Tone, xOf } from './timeScale.js';

/** CSS pixels. */
const laneHeight = 16;
const laneGap = 3;
const markHeight = 14;
/** Above each lane, for what failed: seen without its colour. */
const flagHeight = 4;

const stripHeight = lanes.length * (laneHeight + laneGap) + markHeight;

export function laneAt(y: number): Lane {
  const index = Math.floor(y / (laneHeight + laneGap));
  return lanes[Math.min(lanes.length - 1, Math.max(0, index))] ?? 'other';
}

type Colors = Readonly<Record<Tone | 'text' | 'line' | 'selected' | 'shade', string>>;

/** @param sight what is drawn @param extent of all that could be */
export function drawStrip(
  canvas: HTMLCanvasElement,
  { passing, open, range }: Pick<PageState, 'passing' | 'open' | 'range'>,
  sight: TimeRange,
  extent: TimeRange,
): void {
  const context = canvas.getContext('2d');
  const width = canvas.clientWidth;
  if (!context || width === 0) {
    return;
  }
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(stripHeight * density);
  context.scale(density, density);
  const colors = colorsOf(canvas);
  drawMarks(context, sight, extent, width, colors);
  for (const bar of barsOf(passing, sight, extent, width)) {
    const y = topOf(bar.lane);
    context.fillStyle = colors[bar.tone];
    if (bar.tone === 'open') {
      context.strokeStyle = colors.open;
      context.lineWidth = 1;
      context.strokeRect(
        bar.x + 0.5,
        y + flagHeight + 0.5,
        bar.width - 1,
        laneHeight - flagHeight - 1,
      );
    } else {
      context.fillRect(bar.x, y + flagHeight, bar.width, laneHeight - flagHeight);
    }
    if (bar.tone === 'error' || bar.tone === 'trouble') {
      context.fillRect(bar.x, y, Math.max(bar.width, 3), flagHeight - 1);
    }
  }
  const selected = open && passing.find(({ id }) => id === open.id);
  if (selected) {
    const one = barsOf([selected], sight, extent, width);
    context.strokeStyle = colors.selected;
    context.lineWidth = 2;
    for (const { lane, x, width: length } of one) {
      context.strokeRect(x - 2, topOf(lane) + 1, length + 4, laneHeight - 1);
    }
  }
  if (range) {
    drawRange(context, xOf(range.from, sight, width), xOf(range.to, sight, width), width, colors);
  }
}

function drawMarks(
  context: CanvasRenderingContext2D,
  sight: TimeRange,
  extent: TimeRange,
  width: number,
  colors: Colors,
): void {
  const bottom = stripHeight - markHeight;
  context.font = `10px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = 'bottom';
  for (const ms of marksOf(sight, extent, width)) {
    const x = Math.round(xOf(extent.from + ms, sight, width)) + 0.5;
    context.fillStyle = colors.line;
    context.fillRect(x, 0, 1, stripHeight);
    context.fillStyle = colors.text;
    const text = markText(ms);
    if (x + 3 + context.measureText(text).width <= width) {
      context.fillText(text, x + 3, stripHeight);
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
  colors: Colors,
): void {
  const bottom = stripHeight - markHeight;
  context.globalAlpha = 0.65;
  context.fillStyle = colors.shade;
  context.fillRect(0, 0, Math.max(0, from), bottom);
  context.fillRect(Math.min(width, to), 0, Math.max(0, width - to), bottom);
  context.globalAlpha = 1;
  context.fillStyle = colors.selected;
  context.fillRect(from - 1, 0, 2, bottom);
  context.fillRect(to - 1, 0, 2, bottom);
}

function topOf(lane: Lane): number {
  return lanes.indexOf(lane) * (laneHeight + laneGap);
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
