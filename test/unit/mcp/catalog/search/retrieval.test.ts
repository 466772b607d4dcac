import { describe, expect, it } from 'vitest';
import {
  halves,
  questionsOf,
  readQuestions,
  sizes,
  toolsOf,
} from '../../../../helpers/searchEvaluation.js';

describe('the questions of the evaluation', () => {
  const pathOf = ({ server, tool }: { server: string; tool: string }) => `${server}/${tool}`;

  it('are answered by tools that exist, each of which has a path of its own', () => {
    const paths = toolsOf('large').map(pathOf);
    const known = new Set(paths);
    expect(known.size).toBe(paths.length);
    expect(
      readQuestions().flatMap(({ accepted }) => accepted.filter((path) => !known.has(path))),
    ).toEqual([]);
  });

  it('are many, about many tools, and differ', () => {
    expect(toolsOf('large').length).toBeGreaterThan(1_800);
    expect(new Set(readQuestions().map(({ text }) => text)).size).toBe(250);
    for (const size of sizes) {
      for (const half of halves) {
        expect(questionsOf(size, half).length).toBeGreaterThan(60);
      }
    }
  });
});
