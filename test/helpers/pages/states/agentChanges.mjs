// @ts-check
/** The agent's page with files that it changed, what a restore would do, its context, and who waits. */
import { changedFile, diffOf, editedCart, readyState } from './parts.mjs';

export const changeSnapshots = {
  queue: {
    conversation: 'one',
    state: {
      ...readyState,
      queue: {
        pause: 'stopped',
        messages: [
          { id: '1', kind: 'next', text: 'read README.md', attachments: [] },
          { id: '2', kind: 'after', text: 'echo afterwards', attachments: [] },
        ],
      },
    },
    transcript: [{ id: 'u1', kind: 'user', text: 'list the files' }],
    earlier: 0,
  },
  restore: {
    conversation: 'one',
    state: {
      ...readyState,
      restore: {
        id: 'm2',
        title: 'Mend the total of the cart, and write the test that was missing',
        parts: ['files', 'conversation'],
        files: [
          {
            id: '/home/dev/app/src/cart.ts',
            path: 'src/cart.ts',
            becomes: 'changed',
            added: 1,
            removed: 2,
            remarks: ['What others changed elsewhere in it stays.'],
            isChosen: true,
          },
          {
            id: '/home/dev/app/b',
            path: 'packages/with-a-long-name/test/integration/checkout.test.ts',
            becomes: 'deleted',
            added: 0,
            removed: 118,
            remarks: [],
            isChosen: true,
          },
          {
            id: '/home/dev/app/c',
            path: 'src/tax.ts',
            becomes: 'changed',
            added: 3,
            removed: 3,
            remarks: ['Others changed the same lines since; those would be replaced.'],
            isChosen: false,
          },
          {
            id: '/home/dev/app/d',
            path: 'data.bin',
            becomes: 'left',
            added: 0,
            removed: 0,
            remarks: ['What it held is not kept.'],
            isChosen: false,
          },
        ],
        notes: [
          'Undo does not cover 2 commands.',
          'Kept for restores of this conversation: 1.4 MB.',
        ],
        isChanged: false,
        stamp: 's1',
      },
    },
    earlier: 0,
    transcript: [
      { id: 'u1', kind: 'user', text: 'What is in this folder?', message: { id: 'm1' } },
      { id: 'a1', kind: 'assistant', text: 'A shop with a cart.', isStreaming: false },
      { id: 'u2', kind: 'user', text: 'Mend the total of the cart.', message: { id: 'm2' } },
      { id: 'a2', kind: 'assistant', text: 'The total is right now.', isStreaming: false },
    ],
  },
  changes: {
    conversation: 'one',
    state: {
      ...readyState,
      status: 'running',
      changes: {
        files: [
          changedFile,
          {
            ...changedFile,
            id: '/home/dev/app/b',
            path: 'packages/with-a-long-name/test/integration/checkout.test.ts',
            kind: 'created',
            added: 118,
            removed: 0,
            isMixed: true,
          },
          { ...changedFile, id: '/c', path: 'old.txt', kind: 'gone', added: 0, removed: 30 },
        ],
        more: 0,
        added: 120,
        removed: 31,
        uncovered: 'Undo does not cover 2 commands.',
        undone: 1,
        canUndoRun: true,
        stamp: 1,
      },
      approvals: [
        {
          id: 'w1',
          toolCallId: 'w1',
          tool: 'write',
          args: '{}',
          fileChange: {
            path: 'src/tax.ts',
            kind: 'create',
            added: 3,
            removed: 0,
            hunks: [diffOf('+1 // the rate of \\u202eyesterday\n+2 export const tax = 0.19;\n+3 ')],
            omitted: 0,
            notes: [],
          },
          why: { kind: 'default' },
          claims: [],
          places: [],
        },
      ],
    },
    earlier: 0,
    transcript: [
      { id: 'u1', kind: 'user', text: 'Mend the total.' },
      {
        id: 't1',
        kind: 'tool',
        tool: 'edit',
        args: '',
        change: editedCart,
        status: 'done',
        result: [],
      },
      {
        id: 't2',
        kind: 'tool',
        tool: 'write',
        args: '',
        change: { ...editedCart, kind: 'write', path: 'src/tax.ts', callId: undefined },
        status: 'denied',
        result: [],
      },
    ],
  },
  context: {
    conversation: 'one',
    state: {
      ...readyState,
      usage: { tokens: 68000, contextWindow: 200000, cost: 0.4127, compactsAt: 180000 },
    },
    earlier: 0,
    transcript: [
      { id: 'u1', kind: 'user', text: 'Mend the total.', message: { id: 'm1' } },
      { id: 'a1', kind: 'assistant', text: 'It is right now.', isStreaming: false },
      {
        id: 'c1',
        kind: 'compaction',
        summary: '## Goal\n\nThe total of the cart is right.',
        tokensBefore: 181204,
        tokensAfter: 22480,
        stored: 's1',
      },
      { id: 'u2', kind: 'user', text: 'And the tax?', message: { id: 'm2' } },
      {
        id: 'n1',
        kind: 'notice',
        level: 'info',
        text: 'Anthropic takes no more requests for the moment · Retry 2 of 3 · done',
      },
      { id: 'a2', kind: 'assistant', text: 'The tax is 19 %.', isStreaming: false },
    ],
  },
  waiting: {
    conversation: 'one',
    state: {
      ...readyState,
      status: 'running',
      usage: { tokens: 176000, contextWindow: 200000, cost: 1.4127, compactsAt: 180000 },
    },
    earlier: 0,
    transcript: [
      { id: 'u1', kind: 'user', text: 'Mend the total.', message: { id: 'm1' } },
      {
        id: 'c1',
        kind: 'compacting',
        text: 'The context is nearly full. The conversation is summarized to make room.',
      },
      {
        id: 'r1',
        kind: 'retry',
        text: 'Anthropic takes no more requests for the moment',
        detail: '429 Number of requests has exceeded your limit',
        attempt: 2,
        of: 3,
        until: Date.now() + 42_000,
      },
    ],
  },
};
