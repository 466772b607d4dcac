import { expect, it } from 'vitest';
import type { PiEvent } from '../../../../src/agent/pi/piModule.js';
import { ModelTitle, readTitle } from '../../../../src/agent/session/side/modelTitle.js';
import { emptyTranscript, reduceTranscript } from '../../../../src/agent/transcript/transcript.js';

it.each([
  ['Fix the login', 'Fix the login'],
  ['  “Fix the login.”\n\nI chose this because', 'Fix the login'],
  ['# **Anmeldung reparieren**', 'Anmeldung reparieren'],
  ['a\u202Egnp.exe\u2066 \u0007b\u200B\u001B[31mc', 'agnp.exe b[31mc'],
  ['one\ttwo\u2028three', 'one two'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['x'.repeat(500), `${'x'.repeat(59)}…`],
  ['😀'.repeat(80), `${'😀'.repeat(59)}…`],
])('makes one short line of %j', (answer, title) => {
  expect(readTitle(answer)).toBe(title);
});

it.each(['', ' \n', '""', '\u202E\u200B'])('has no title in %j', (answer) => {
  expect(readTitle(answer)).toBeUndefined();
});

function transcript(...texts: string[]) {
  return texts.reduce((all, content) => {
    const message = { role: 'user', content, timestamp: 0 };
    const events = ['message_start', 'message_end'].map((type) => ({ type, message }) as PiEvent);
    return events.reduce((one, event) => reduceTranscript(one, event, () => undefined), all);
  }, emptyTranscript);
}

function titled(changes: { mayAsk?: boolean; isWanted?: boolean; refusal?: string; end?: string }) {
  const asked: string[] = [];
  const names: string[] = [];
  const entries: { type: string }[] = [];
  const title = new ModelTitle({
    isWanted: () => changes.isWanted ?? true,
    transcript: () => transcript(`${'a'.repeat(3_000)}`, 'key canary'),
    conversation: () =>
      ({
        end: changes.end ?? 'done',
        manager: { getEntries: () => entries },
        rename: (name: string) => names.push(name),
      }) as never,
    mayAsk: () => changes.mayAsk ?? true,
    requests: {
      refusal: changes.refusal,
      ask: ({ context }) => {
        asked.push(JSON.stringify(context));
        return Promise.resolve('A title');
      },
    },
    mask: (text) => text.replaceAll('canary', '***'),
    onDidName: () => undefined,
  });
  return { asked, names, entries, settle: () => title.follow({ type: 'agent_settled' }) };
}

it('asks once, with little, and without secrets', async () => {
  const { asked, names, settle } = titled({});
  await settle();
  await settle();
  expect(names).toEqual(['A title']);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.length).toBeLessThan(2_500);
  expect(asked[0]).toContain('key ***');
  expect(asked[0]).not.toContain('canary');
});

it.each([
  ['the setting does not say so', { isWanted: false }],
  ['the user has not agreed to what the model costs', { mayAsk: false }],
  ['the conversation is at its limit', { refusal: 'It has cost enough.' }],
  ['the run failed', { end: 'failed' }],
])('asks nothing where %s', async (_why, changes) => {
  const { asked, names, settle } = titled(changes);
  await settle();
  expect([asked, names]).toEqual([[], []]);
});

it('asks nothing for a conversation that was named once, also when the name was taken away', async () => {
  const { asked, entries, settle } = titled({});
  entries.push({ type: 'session_info' });
  await settle();
  expect(asked).toEqual([]);
});
