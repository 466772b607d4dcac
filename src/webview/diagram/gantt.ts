import { largest } from '../../base/lists.js';
import {
  cellHeight,
  cellsOf,
  cellWidth,
  Drawing,
  type DrawnSource,
  isTooLarge,
  margin,
  type PictureColors,
  round,
} from './drawing.js';
import { day, type GanttTask, readGantt } from './ganttText.js';

const rowHeight = 24;
const barHeight = 12;
/** Of the whole time. */
const chartWidth = 420;
const gap = 16;
const minBar = 3;

const hour = day / 24;
/** Between two marks. */
const steps = [
  ...[1 / 3_600, 1 / 60, 1 / 12, 1 / 4, 1, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 28, 91, 182, 364, 1_820, 3_640, 36_400].map((days) => days * day),
];
const maxMarks = 4;

/** @param statements the header first. `undefined`: nothing of it is understood, or it is too large. */
export function drawGantt(
  statements: readonly string[],
  colors: PictureColors,
): DrawnSource | undefined {
  const { title, rows, isWhole } = readGantt(statements.slice(1));
  const tasks = rows.flatMap((row) => ('task' in row ? [row.task] : []));
  if (tasks.length === 0) {
    return undefined;
  }
  const from = tasks.reduce((least, task) => Math.min(least, task.from), Number.POSITIVE_INFINITY);
  const to = tasks.reduce((most, task) => Math.max(most, task.to), from + 1);
  const names = rows.map((row) => ('task' in row ? `  ${row.task.name}` : row.section));
  const left = margin + 0.5 + largest(names.map(cellsOf)) * cellWidth + gap;
  const xOf = (t: number) => round(left + ((t - from) / (to - from)) * chartWidth);
  const step = steps.find((one) => (to - from) / one <= maxMarks) ?? to - from;
  const textOf = (t: number) => timeText(t, step, to - from);
  const spans = tasks.map((task) => spanText(task, textOf));
  const top = margin + 0.5 + (title === '' ? 0 : cellHeight + 8);
  const axis = top + rows.length * rowHeight;
  const right = left + chartWidth + gap + largest(spans.map(cellsOf)) * cellWidth;
  const width = Math.ceil(Math.max(right, margin + cellsOf(title) * cellWidth) + margin);
  const height = Math.ceil(axis + cellHeight + 2 * margin);
  if (isTooLarge(width, height)) {
    return undefined;
  }
  const drawing = new Drawing(colors);
  if (title !== '') {
    drawing.addWord(title, margin, margin + cellHeight / 2);
  }
  for (const t of marksOf(from, to, step)) {
    drawing.addPath('dotted', `M${xOf(t)} ${top}V${axis}`);
    drawing.addText(textOf(t), xOf(t), axis + cellHeight / 2 + 2, { isLabel: true });
  }
  drawing.addPath('thin', `M${left} ${axis}h${chartWidth}`);
  for (const [at, row] of rows.entries()) {
    const middle = top + (at + 0.5) * rowHeight;
    if ('section' in row) {
      drawing.addWord(row.section, margin, middle, true);
    } else {
      const { task } = row;
      drawing.addWord(task.name, margin + 2 * cellWidth, middle);
      drawBar(drawing, task, xOf, middle);
      drawing.addWord(spanText(task, textOf), left + chartWidth + gap, middle, true);
    }
  }
  return { ...drawing.picture(width, height), isWhole };
}

/** What is done is hollow, what is critical has a strong edge, a moment is a diamond. */
function drawBar(
  drawing: Drawing,
  { from, to, tags }: GanttTask,
  xOf: (t: number) => number,
  middle: number,
): void {
  const start = xOf(from);
  if (tags.includes('milestone') || tags.includes('vert')) {
    drawing.addPath('filled', `M${xOf((from + to) / 2)} ${middle - 6}l6 6l-6 6l-6 -6z`);
    return;
  }
  const length = round(Math.max(minBar, xOf(to) - start));
  const d = `M${start} ${middle - barHeight / 2}h${length}v${barHeight}h${-length}z`;
  if (!tags.includes('done')) {
    drawing.addPath(tags.includes('active') ? 'dark' : 'medium', d);
  }
  drawing.addPath(tags.includes('crit') ? 'thick' : 'thin', d);
}

function marksOf(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return Array.from({ length: last - first + 1 }, (_one, at) => (first + at) * step);
}

function spanText({ from, to }: GanttTask, textOf: (t: number) => string): string {
  const [start, end] = [textOf(from), textOf(to)];
  return start === end ? start : `${start} – ${end}`;
}

function timeText(t: number, step: number, span: number): string {
  const text = new Date(t).toISOString();
  if (step >= day) {
    return text.slice(0, 10);
  }
  return span > day
    ? text.slice(5, 16).replace('T', ' ')
    : text.slice(11, step < hour / 60 ? 19 : 16);
}
