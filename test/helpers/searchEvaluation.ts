/** Measures how well the search finds tools: natural questions over a few servers and over many. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolIndex } from '../../src/mcp/catalog/search/toolIndex.js';
import { readCapturedServers, searchableTools } from './capturedTools.js';
import { readDescribedServers } from './searchCatalogues.js';

interface Question {
  readonly text: string;
  /** `server/tool` of each tool that a person would accept as the first one. */
  readonly accepted: readonly string[];
}

/** The ranking may be changed because of a tuned question or one of the practice, never because of one held out. */
export const questionSets = ['tuned', 'heldOut', 'practice'] as const;
/** On the captured servers: up to five words, and sentences; half of each is held out. */
export const capturedSets = ['short', 'shortHeldOut', 'sentences', 'sentencesHeldOut'] as const;
type QuestionSet = (typeof questionSets)[number] | (typeof capturedSets)[number];

export const sizes = ['small', 'large'] as const;
type Size = (typeof sizes)[number];

export interface Retrieval {
  readonly asked: number;
  /** Share of the questions that the first tool answers. */
  readonly first: number;
  /** Share of the questions that one of the first five tools answers. */
  readonly firstFive: number;
  /** Questions without any result. */
  readonly empty: readonly string[];
}

/** What people have who use MCP every day. */
const smallServers = new Set(
  'chrome-devtools context7 filesystem github memory notion playwright slack git postgres brave-search google-calendar gmail linear sentry docker stripe google-maps fetch time'.split(
    ' ',
  ),
);

export function readQuestions(set: QuestionSet): readonly Question[] {
  const isCaptured = capturedSets.some((one) => one === set);
  const file = set === 'practice' ? 'practice.txt' : isCaptured ? 'captured.txt' : 'questions.txt';
  const questions = readFileSync(resolve('test/fixtures/search', file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', accepted = ''] = line.split(' => ');
      return { text, accepted: accepted.split(' ') };
    });
  const isHalf = (index: number) => (index % 2 === 1) === /heldOut/i.test(set);
  // two of each kind in turn
  const isKind = (index: number) =>
    !isCaptured || index % 4 < 2 === (set === 'short' || set === 'shortHeldOut');
  return set === 'practice'
    ? questions
    : questions.filter((_, index) => isHalf(index) && isKind(index));
}

export function toolsOf(size: Size) {
  const servers = [...readCapturedServers(), ...readDescribedServers()];
  return searchableTools(
    size === 'large' ? servers : servers.filter(({ name }) => smallServers.has(name)),
  );
}

/** Those that tools of this size can answer. */
export function questionsOf(size: Size, set: QuestionSet): readonly Question[] {
  const isServed = (name: string) => size === 'large' || smallServers.has(name.split('/')[0] ?? '');
  return readQuestions(set)
    .map(({ text, accepted }) => ({ text, accepted: accepted.filter(isServed) }))
    .filter(({ accepted }) => accepted.length > 0);
}

export function indexOf(size: Size) {
  return new ToolIndex(toolsOf(size));
}

export function measureRetrieval(
  index: ReturnType<typeof indexOf>,
  questions: readonly Question[],
): Retrieval {
  const places = questions.map(({ text, accepted }) => {
    const hits = index.search(text, 5);
    const place = hits.findIndex(({ tool }) => accepted.includes(`${tool.server}/${tool.tool}`));
    return { text, isEmpty: hits.length === 0, place };
  });
  const share = (limit: number) =>
    places.filter(({ place }) => place >= 0 && place < limit).length / questions.length;
  return {
    asked: questions.length,
    first: share(1),
    firstFive: share(5),
    empty: places.filter(({ isEmpty }) => isEmpty).map(({ text }) => text),
  };
}
