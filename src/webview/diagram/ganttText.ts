/** Reads the source of a Gantt chart. */
import { largest, smallest } from '../../base/lists.js';
import { visible } from './drawing.js';

export interface GanttTask {
  readonly name: string;
  /** Milliseconds since the epoch, as if the dates were of UTC. */
  readonly from: number;
  readonly to: number;
  readonly tags: readonly string[];
}

/** A heading, or a task below the last one. */
type GanttRow = { readonly section: string } | { readonly task: GanttTask };

export interface Gantt {
  readonly title: string;
  readonly rows: readonly GanttRow[];
  readonly isWhole: boolean;
}

const minute = 60_000;
export const day = 24 * 60 * minute;
const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: minute,
  h: 60 * minute,
  d: day,
  w: 7 * day,
  M: 30 * day,
  y: 365 * day,
};
/** Dates have years of four digits. */
const latest = Date.UTC(9999, 11, 31);
const tags = ['active', 'done', 'crit', 'milestone', 'vert'];
/** How it looks elsewhere, which is not followed here. */
const looks = /^(?:axisFormat|tickInterval|todayMarker|weekday|topAxis|accTitle|accDescr|click)\b/;

export function readGantt(lines: readonly string[]): Gantt {
  const rows: GanttRow[] = [];
  const known = new Map<string, GanttTask>();
  let title = '';
  let format = 'YYYY-MM-DD';
  let isWhole = true;
  let last: GanttTask | undefined;
  for (const line of lines.map((one) => one.trim())) {
    const [, word = '', rest = ''] = /^(\w+)(?:\s+(.*))?$/.exec(line) ?? [];
    if (word === 'title') {
      title = visible(rest);
    } else if (word === 'dateFormat') {
      format = rest;
    } else if (word === 'section') {
      rows.push({ section: visible(rest) });
    } else if (!looks.test(line)) {
      const read = readTask(line, format, known, last);
      if (read) {
        last = read.task;
        rows.push({ task: read.task });
        if (read.id !== undefined) {
          known.set(read.id, read.task);
        }
      }
      isWhole &&= read !== undefined;
    }
  }
  return { title, rows, isWhole };
}

function readTask(
  line: string,
  format: string,
  known: ReadonlyMap<string, GanttTask>,
  last: GanttTask | undefined,
): { readonly task: GanttTask; readonly id?: string } | undefined {
  const colon = line.indexOf(':');
  const parts = line
    .slice(colon + 1)
    .split(',')
    .map((part) => part.trim());
  const isTag = parts.findIndex((part) => !tags.includes(part));
  const times = parts.slice(isTag);
  if (colon < 1 || isTag < 0 || times.length > 3) {
    return undefined;
  }
  const [end = '', start, id] = times.toReversed();
  const from = start === undefined ? last?.to : startOf(start, format, known);
  const to = from === undefined ? undefined : endOf(end, from, format, known);
  if (from === undefined || to === undefined || to < from || to > latest) {
    return undefined;
  }
  const name = visible(line.slice(0, colon));
  return { task: { name, from, to, tags: parts.slice(0, isTag) }, id: id || undefined };
}

function startOf(text: string, format: string, known: ReadonlyMap<string, GanttTask>) {
  const others = referred('after ', text, known);
  return others ? largest(others.map(({ to }) => to)) : readDate(text, format);
}

function endOf(text: string, from: number, format: string, known: ReadonlyMap<string, GanttTask>) {
  const others = referred('until ', text, known);
  if (others) {
    return smallest(others.map((one) => one.from));
  }
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)(ms|[smhdwMy])$/.exec(text) ?? [];
  const length = units[unit];
  return count === undefined || length === undefined
    ? readDate(text, format)
    : from + Number(count) * length;
}

/** `undefined`: it refers to none that stands above. */
function referred(word: string, text: string, known: ReadonlyMap<string, GanttTask>) {
  const ids = text.startsWith(word) ? text.slice(word.length).trim().split(/\s+/) : [];
  const others = ids.flatMap((id) => known.get(id) ?? []);
  return others.length > 0 && others.length === ids.length ? others : undefined;
}

const fields: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  DD: '(?<day>\\d{2})',
  HH: '(?<hour>\\d{2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
};
const isoDate = 'YYYY-MM-DD';

function readDate(text: string, format: string): number | undefined {
  const found = [format, `${isoDate} HH:mm`, isoDate]
    .map((one) => patternOf(one)?.exec(text)?.groups)
    .find((groups) => groups !== undefined);
  if (!found) {
    return undefined;
  }
  const { year = '2000', month = '01', day: date = '01' } = found;
  const { hour = '00', minute: minutes = '00', second = '00' } = found;
  const ms = Date.parse(`${year}-${month}-${date}T${hour}:${minutes}:${second}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** `undefined`: the format has what is not known here, or has it twice. */
function patternOf(format: string): RegExp | undefined {
  const parts = format.match(/YYYY|MM|DD|HH|mm|ss|\W/g) ?? [];
  const isKnown = parts.join('') === format && parts.length < 12;
  if (!isKnown || new Set(parts.filter((part) => part in fields)).size === 0) {
    return undefined;
  }
  const names = parts.filter((part) => part in fields);
  return new Set(names).size === names.length
    ? new RegExp(`^${parts.map((part) => fields[part] ?? part.replace(/\W/, '\\$&')).join('')}$`)
    : undefined;
}
