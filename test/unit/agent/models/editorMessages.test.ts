import { expect, it } from 'vitest';
import { editorRequest } from '../../../../src/agent/models/editor/messages.js';

it('sends no half of a surrogate pair, for which providers refuse the whole conversation', () => {
  const reader = {
    getCurrentSystemPrompt: () => '',
    getCurrentTools: () => [],
    transformMessages: (messages: unknown) => messages,
  };
  const said = [
    { role: 'user', content: 'Hi 😀' },
    // what a server sent, or the half at which a long line was cut
    { role: 'toolResult', toolCallId: 'c1', content: [{ type: 'text', text: 'cut \ud83d' }] },
  ];
  const request = editorRequest(reader as never, {} as never, { messages: said } as never, false);
  expect(request.messages.map(({ parts }) => parts)).toEqual([
    [{ kind: 'text', text: 'Hi 😀' }],
    [{ kind: 'result', callId: 'c1', parts: [{ kind: 'text', text: 'cut \uFFFD' }] }],
  ]);
});
