/** The language of the filter line. Pure; never throws, whatever is typed. */
import * as l10n from '@vscode/l10n';
import type { InspectorRow } from '../../protocol/inspector/inspectorProtocol.js';

type Test = (row: InspectorRow) => boolean;

export interface Filter {
  /** Entries must pass all of them. */
  readonly tests: readonly Test[];
  /** To be found in the frames, in lower case. */
  readonly words: readonly string[];
  /** One sentence for each part that means nothing. */
  readonly problems: readonly string[];
}

const maxParts = 50;
const statuses = ['open', 'ok', 'faulty', 'error', 'cancelled', 'lost'];
const kinds = ['request', 'notification', 'response', 'http', 'stderr', 'life'];
const directions: Readonly<Record<string, InspectorRow['dir']>> = {
  sent: 'sent',
  out: 'sent',
  received: 'received',
  in: 'received',
};

export function parseFilter(text: string): Filter {
  const tests: Test[] = [];
  const words: string[] = [];
  const problems: string[] = [];
  for (const part of partsOf(text)) {
    const [, not = '', key = '', value = ''] = /^(-?)([a-z]+):(.*)$/is.exec(part) ?? [];
    if (key === '' || value.startsWith('//')) {
      words.push(unquoted(part).toLowerCase());
      continue;
    }
    const test = testOf(key.toLowerCase(), unquoted(value));
    if (typeof test === 'string') {
      problems.push(test);
    } else if (test) {
      tests.push(not ? (row) => !test(row) : test);
    }
  }
  return { tests, words: words.filter((word) => word !== ''), problems };
}

/** Rows that are pinned are in sight whatever it says. */
export function passes(filter: Filter, row: InspectorRow): boolean {
  return filter.tests.every((test) => test(row));
}

/** Split at spaces that stand in no quotes; a quote that nobody closes goes to the end. */
function partsOf(text: string): readonly string[] {
  return (text.match(/(?:[^\s"]|"[^"]*(?:"|$))+/g) ?? []).slice(0, maxParts);
}

function unquoted(text: string): string {
  return text.replaceAll('"', '');
}

/** @returns a sentence when that means nothing; nothing while it is still being typed. */
function testOf(key: string, value: string): Test | string | undefined {
  if (value === '') {
    return undefined;
  }
  const lower = value.toLowerCase();
  switch (key) {
    case 'method':
      return methodTest(lower);
    case 'target':
      return ({ target }) => target.toLowerCase().includes(lower);
    case 'status':
      return oneOf(key, lower, statuses, ({ status }) => status);
    case 'kind':
      return oneOf(key, lower, kinds, ({ kind }) => kind);
    case 'dir': {
      const wanted = directions[lower];
      return wanted ? ({ dir }) => dir === wanted : unknownValue(key, Object.keys(directions));
    }
    case 'duration':
      return durationTest(lower);
    case 'gen':
      return ({ gen }) => String(gen) === value;
    case 'is':
      return lower === 'pinned' ? () => false : unknownValue(key, ['pinned']);
    default:
      return l10n.t('There is no filter "{0}:".', key);
  }
}

/** `*` stands for anything; without one, a part is enough. */
function methodTest(wanted: string): Test {
  const pieces = wanted.split('*');
  return ({ method }) => {
    const text = method.toLowerCase();
    return pieces.length === 1 ? text.includes(wanted) : isLike(text, pieces);
  };
}

function isLike(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) {
    return false;
  }
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) {
      return false;
    }
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}

/** What takes no time, such as a notification, is neither long nor short. */
function durationTest(text: string): Test | string {
  const [, sign = '>', digits = '', unit = 'ms'] =
    /^([<>]=?|=)?(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  if (digits === '') {
    return l10n.t('A duration looks like ">500ms" or "<2s".');
  }
  const limit = Number(digits) * { ms: 1, s: 1_000, m: 60_000 }[unit as 'ms' | 's' | 'm'];
  const compare: Record<string, (ms: number) => boolean> = {
    '>': (ms) => ms > limit,
    '>=': (ms) => ms >= limit,
    '<': (ms) => ms < limit,
    '<=': (ms) => ms <= limit,
    '=': (ms) => ms === limit,
  };
  return ({ ms }) => ms !== undefined && compare[sign]?.(ms) === true;
}

function oneOf(
  key: string,
  wanted: string,
  known: readonly string[],
  read: (row: InspectorRow) => string,
): Test | string {
  const all = wanted.split(',').filter((one) => one !== '');
  return all.every((one) => known.includes(one))
    ? (row) => all.includes(read(row))
    : unknownValue(key, known);
}

function unknownValue(key: string, known: readonly string[]): string {
  return l10n.t('"{0}:" takes one of: {1}.', key, known.join(', '));
}
