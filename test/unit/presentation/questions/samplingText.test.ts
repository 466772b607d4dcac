import { describe, expect, it } from 'vitest';
import type { SamplingRequest } from '../../../../src/mcp/connection/session/clientFeatures.js';
import {
  blocksText,
  requestRows,
  requestText,
} from '../../../../src/presentation/questions/samplingText.js';

const request: SamplingRequest = {
  systemPrompt: 'Be\nbrief.',
  messages: [
    { role: 'user', content: { type: 'text', text: 'Sum up ```this```' } },
    { role: 'assistant', content: [{ type: 'tool_use', name: 'find', input: { q: 1 } }] },
  ],
  maxTokens: 64,
  tools: [{ name: 'find' }],
};

describe('sampling text', () => {
  it('shows each message, the tools and the limit on a line of its own', () => {
    expect(requestRows(request).map(({ label, text }) => [label, text])).toEqual([
      ['System prompt', 'Be\nbrief.'],
      ['User', 'Sum up ```this```'],
      ['Assistant', '[calls find with {"q":1}]'],
      ['Tools', 'find'],
      ['Limit', '64 tokens'],
    ]);
  });

  it('writes the whole request, in blocks that its text cannot end', () => {
    const text = requestText(request);
    expect(text).toContain('````text\nSum up ```this```\n````');
    expect(text).toContain('"name": "find"');
    expect(text).toContain('* At most 64 tokens');
  });

  it('names what is no text', () => {
    expect(
      blocksText([
        { type: 'image', mimeType: 'image/png', data: 'AA' },
        { type: 'tool_result', content: [{ type: 'text', text: 'done' }] },
      ]),
    ).toBe('[image, image/png]\n[result of a tool] done');
  });
});
