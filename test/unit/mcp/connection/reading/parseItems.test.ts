import { expect, it } from 'vitest';
import { parsePrompt, parseTool } from '../../../../../src/mcp/connection/reading/parseItems.js';

it('keeps what a server calls the arguments of a prompt, in bounded length', () => {
  const prompt = parsePrompt({
    name: 'greet',
    arguments: [
      { name: 'tone', title: 'Tone of voice', description: 'How to say it', required: true },
      { name: 'city', title: 7 },
      { name: 'long', title: 'x'.repeat(100_000) },
    ],
  });
  const [tone, city, long] = prompt?.arguments ?? [];
  expect(tone).toEqual({
    name: 'tone',
    title: 'Tone of voice',
    description: 'How to say it',
    required: true,
  });
  expect(city).toEqual({ name: 'city' });
  expect(long?.title?.length).toBeLessThan(10_000);
});

it('takes a tool without a schema for one that takes any object', () => {
  expect(parseTool({ name: 'a' })).toEqual({ name: 'a', inputSchema: { type: 'object' } });
  expect(parseTool({ name: 'a', inputSchema: 'none' })).toBeUndefined();
});
