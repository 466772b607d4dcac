import { expect, it } from 'vitest';
import { PanelFeed } from '../../../../src/agent/panel/feed.js';
import { restoreTranscript } from '../../../../src/agent/session/stored/restoreTranscript.js';
import type { AgentViewState } from '../../../../src/protocol/agentProtocol.js';
import { storedConversation } from '../../../fixtures/conversations.js';

const turns = 5_000;

it('opens a conversation of 5,000 turns with its end, and brings the rest page by page', async () => {
  const transcript = await restoreTranscript(storedConversation(turns), () => undefined);
  const feed = new PanelFeed({
    state: () => ({ status: 'ready' }) as AgentViewState,
    transcript: () => transcript,
    draft: () => undefined,
    conversation: () => 'one',
  });
  feed.reset();
  const first = feed.snapshot();
  expect(first.transcript).toHaveLength(100);
  expect(first.earlier).toBe(transcript.entries.length - 100);
  expect(JSON.stringify(first).length).toBeLessThan(50_000);
  expect(first.transcript.at(-1)).toMatchObject({ kind: 'assistant', text: 'Ready.' });
  const second = feed.showEarlier();
  expect(second.transcript).toHaveLength(200);
  expect(second.transcript.slice(100)).toEqual(first.transcript);
  expect(feed.showLatest().transcript).toEqual(first.transcript);
  feed.dispose();
});
