/** What cards say of calls of the real Pi: what they took, how a run ended, the list of steps; also when they are read again. */
import { expect, it } from 'vitest';
import type { EditorAnswerPart } from '../../src/agent/models/editor/port.js';
import type { AgentSnapshot, TranscriptEntry } from '../../src/protocol/agentProtocol.js';
import { FakeEditorModels } from '../helpers/fakes/fakeEditorModels.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

const steps = [
  { text: 'Look', state: 'done' },
  { text: 'Write', state: 'doing' },
];
const calls: readonly EditorAnswerPart[] = [
  { kind: 'call', id: 'c1', name: 'todo', input: { steps } },
  { kind: 'call', id: 'c2', name: 'bash', input: { command: 'echo out; exit 3' } },
  { kind: 'call', id: 'c3', name: 'write', input: { path: 'made.txt', content: 'made' } },
];

function toolsOf({ transcript }: AgentSnapshot) {
  return transcript.filter(
    (entry): entry is Extract<TranscriptEntry, { kind: 'tool' }> => entry.kind === 'tool',
  );
}

it('keeps what calls took, what the run came to and the list of steps', async () => {
  const editorModels = new FakeEditorModels(({ messages }) =>
    messages.some(({ parts }) => parts.some(({ kind }) => kind === 'result'))
      ? [{ kind: 'text', text: 'All made.' }]
      : calls,
  );
  const h = await harness({ mode: 'runFreely', editorModels });
  await h.panel.ensureSession();
  await h.panel.selectModel('vscode-lm', 'copilot/gpt-x');
  const done = await h.say('Make it');
  const check = (snapshot: AgentSnapshot) => {
    expect(snapshot.state.todo).toEqual({ steps });
    expect(toolsOf(snapshot)).toMatchObject([
      { tool: 'todo', status: 'done', words: { kind: 'steps', done: 1, of: 2 } },
      { tool: 'bash', status: 'failed', spent: { tokens: expect.any(Number) } },
      { tool: 'write', status: 'done', change: { path: 'made.txt' } },
    ]);
    for (const { spent } of toolsOf(snapshot)) {
      expect(spent?.ms).toBeGreaterThanOrEqual(0);
    }
    const [, shell] = toolsOf(snapshot);
    expect(shell?.result).toEqual([
      { kind: 'text', text: expect.stringMatching(/out[\s\S]*\nCommand exited with code 3$/) },
    ]);
    expect(snapshot.transcript.at(-1)).toMatchObject({
      text: 'All made.',
      run: { files: 1, commands: 1, calls: 0 },
    });
  };
  check(done);
  expect(h.panel.snapshot().state.approvals).toEqual([]);
  await h.reload();
  check(await h.panel.ensureSession());
});
