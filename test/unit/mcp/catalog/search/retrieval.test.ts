import { describe, expect, it } from 'vitest';
import {
  capturedSets,
  indexOf,
  measureRetrieval,
  questionSets,
  questionsOf,
  readQuestions,
  toolsOf,
} from '../../../../helpers/searchEvaluation.js';

const indexes = { small: indexOf('small'), large: indexOf('large') };

/** What is asked for lies in README.md beside the questions; a floor is a little below what was reached. */
const floors = [
  ['small', 'tuned', 0.75, 0.88],
  ['small', 'heldOut', 0.64, 0.94],
  ['small', 'practice', 0.67, 0.9],
  ['large', 'tuned', 0.74, 0.92],
  ['large', 'heldOut', 0.64, 0.88],
  ['large', 'practice', 0.67, 0.89],
  ['large', 'short', 0.79, 0.99],
  ['large', 'shortHeldOut', 0.95, 0.99],
  ['large', 'sentences', 0.66, 0.82],
  ['large', 'sentencesHeldOut', 0.79, 0.96],
] as const;

describe('retrieval over the tools of many servers', () => {
  it.each(floors)('%s, %s', (size, set, first, firstFive) => {
    const found = measureRetrieval(indexes[size], questionsOf(size, set));
    expect(found.first).toBeGreaterThanOrEqual(first);
    expect(found.firstFive).toBeGreaterThanOrEqual(firstFive);
    expect(found.empty).toEqual([]);
  });

  it('puts every tool first whose name only it has, when that is the whole query', () => {
    const tools = toolsOf('large');
    const missed = tools.filter(({ name }) => indexes.large.search(name)[0]?.tool.name !== name);
    expect(missed.map(({ name }) => name)).toEqual([]);
  });
});

describe('the questions of the evaluation', () => {
  it('are answered by tools that exist, each of which has a path of its own', () => {
    const paths = toolsOf('large').map(({ server, tool }) => `${server}/${tool}`);
    const known = new Set(paths);
    expect(known.size).toBe(paths.length);
    const sets = [...questionSets, ...capturedSets];
    const accepted = sets.flatMap(readQuestions).flatMap((question) => question.accepted);
    expect(accepted.filter((path) => !known.has(path))).toEqual([]);
  });

  it('are many, about many tools, and differ', () => {
    expect(toolsOf('large').length).toBeGreaterThan(1_800);
    const sets = [...questionSets, ...capturedSets];
    const texts = sets.flatMap(readQuestions).map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(questionsOf('large', 'heldOut')).toHaveLength(125);
    expect(questionsOf('small', 'heldOut')).toHaveLength(67);
    expect(capturedSets.map((set) => readQuestions(set).length)).toEqual([30, 30, 30, 30]);
  });
});
