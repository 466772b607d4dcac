/** Natural questions about tools, over a few servers and over many. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readCapturedServers, searchableTools } from './capturedTools.js';
import { readDescribedServers } from './searchCatalogues.js';

interface Question {
  readonly text: string;
  /** `server/tool` of each tool that a person would accept as the first one. */
  readonly accepted: readonly string[];
}

/** The halves of the questions. The ranking may be changed because of a tuned one, never because of a held-out one. */
export const halves = ['tuned', 'heldOut'] as const;
type Half = (typeof halves)[number];

export const sizes = ['small', 'large'] as const;
type Size = (typeof sizes)[number];

/** What people have who use MCP every day. */
const smallServers = new Set(
  'chrome-devtools context7 filesystem github memory notion playwright slack git postgres brave-search google-calendar gmail linear sentry docker stripe google-maps fetch time'.split(
    ' ',
  ),
);

export function readQuestions(): readonly Question[] {
  return readFileSync(resolve('test/fixtures/search/questions.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', accepted = ''] = line.split(' => ');
      return { text, accepted: accepted.split(' ') };
    });
}

export function toolsOf(size: Size) {
  const servers = [...readCapturedServers(), ...readDescribedServers()];
  return searchableTools(
    size === 'large' ? servers : servers.filter(({ name }) => smallServers.has(name)),
  );
}

/** The questions of a half that tools of this size can answer. */
export function questionsOf(size: Size, half: Half): readonly Question[] {
  const isServed = (name: string) => size === 'large' || smallServers.has(name.split('/')[0] ?? '');
  return readQuestions()
    .filter((_, index) => (index % 2 === 1) === (half === 'heldOut'))
    .map(({ text, accepted }) => ({ text, accepted: accepted.filter(isServed) }))
    .filter(({ accepted }) => accepted.length > 0);
}
