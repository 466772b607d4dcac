import { expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments.js';

it.each([
  ['3000000000', 2 ** 31 - 1],
  ['5e9', 2 ** 31 - 1],
  ['0.5', 1],
  ['1500.5', 1501],
  ['1000', 1000],
])('takes a time that no timer can wait for, %s, as the nearest one', (text, timeoutMs) => {
  const { flags } = parseArguments(['probe', '--timeout', text], '/work');
  expect(flags.timeoutMs).toBe(timeoutMs);
});
