import { describe, expect, it } from 'vitest';
import { createTodoTool } from '../../../../src/agent/builtIn/todoTool.js';
import { readTodo } from '../../../../src/agent/transcript/todo.js';
import {
  emptyTranscript,
  reduceTranscript,
  type TranscriptInput,
} from '../../../../src/agent/transcript/transcript.js';

const steps = [
  { text: 'Read the cart', state: 'done' },
  { text: 'Write the tests', state: 'doing' },
];

async function call(args: unknown) {
  const tool = createTodoTool() as unknown as {
    execute: (id: string, args: unknown) => Promise<{ content: unknown; details: unknown }>;
  };
  return await tool.execute('c1', args);
}

function ended(result: unknown, isError = false): TranscriptInput {
  return {
    type: 'tool_execution_end',
    toolCallId: 'c1',
    toolName: 'todo',
    isError,
    result,
  } as TranscriptInput;
}

describe('the list of steps', () => {
  it('is kept with its call, and answered in a few words', async () => {
    const result = await call({ steps });
    expect(result.content).toEqual([{ type: 'text', text: '1 of 2 done' }]);
    const transcript = reduceTranscript(emptyTranscript, ended(result), () => undefined);
    expect(transcript.todo).toEqual({ steps });
    const later = reduceTranscript(transcript, ended({ content: [] }, true), () => undefined);
    expect(later.todo).toEqual({ steps });
  });

  it('is refused in words that help, where it is none', async () => {
    await expect(call({ steps: 'all' })).rejects.toThrow('a list');
    await expect(call({ steps: [{ text: '', state: 'open' }] })).rejects.toThrow('text');
    await expect(call({ steps: [{ text: 'a', state: 'late' }] })).rejects.toThrow('state');
    await expect(call({ steps: Array(41).fill(steps[0]) })).rejects.toThrow('40');
  });

  it('has short texts in which nothing hides', () => {
    const [step] =
      readTodo({ steps: [{ text: `a\u202eb\n${'x'.repeat(500)}`, state: 'open' }] })?.steps ?? [];
    expect(step?.text.startsWith('a\\u202eb x')).toBe(true);
    expect(step?.text.length).toBeLessThan(210);
  });

  it('is taken from no file that says otherwise', () => {
    const kept = { content: [], details: { todo: { steps: [{ text: 4, state: 'open' }] } } };
    expect(reduceTranscript(emptyTranscript, ended(kept), () => undefined).todo).toBeUndefined();
  });
});
