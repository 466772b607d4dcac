// @ts-check
/** The agent's page in the course of conversations: empty, answered, asking, failed. */
import { folders, pixel, readyState } from './parts.mjs';

const answer = `Here is what I found in **three** files:

1. \`cart.ts\` adds the tax twice
2. \`price.ts\` is fine

\`\`\`ts
export function total(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.price * item.count, 0);
}
\`\`\`

| Path | Lines |
|---|---|
| cart.ts | 120 |

See [the docs](https://example.com/docs) <script>alert(1)</script> ![remote](https://example.com/a.png) [bad](javascript:alert(1)).`;

export const talkSnapshots = {
  empty: { conversation: 'one', state: readyState, transcript: [], earlier: 0 },
  restricted: {
    state: { ...readyState, isRestricted: true, tools: { mcp: 0, builtIn: 4, all: 4, stamp: 1 } },
    transcript: [],
    earlier: 0,
  },
  loading: {
    state: {
      ...readyState,
      status: 'loading',
      model: undefined,
      thinking: undefined,
      tools: { mcp: 0, builtIn: 0, all: 0, stamp: 0 },
    },
    transcript: [],
    earlier: 0,
  },
  done: {
    state: { ...readyState, usage: { tokens: 12480, contextWindow: 200000, cost: 0.0412 } },
    earlier: 0,
    transcript: [
      { id: 'u1', kind: 'user', text: 'Why is the total wrong?\nLook at the cart.' },
      { id: 'a1', kind: 'assistant', text: '', thinking: 'The cart first.', isStreaming: false },
      {
        id: 't1',
        kind: 'tool',
        tool: 'files__read_file',
        mcp: { server: 'files', tool: 'read_file' },
        args: '{\n  "path": "src/cart.ts"\n}',
        status: 'done',
        result: [{ kind: 'text', text: 'export const tax = 0.19;' }],
      },
      {
        id: 't2',
        kind: 'tool',
        tool: 'everything__get-tiny-image',
        mcp: { server: 'everything', tool: 'get-tiny-image' },
        args: '{}',
        status: 'done',
        result: [
          { kind: 'text', text: 'Here is the image:' },
          { kind: 'image', mimeType: 'image/png', data: pixel.slice(pixel.indexOf(',') + 1) },
        ],
      },
      {
        id: 't3',
        kind: 'tool',
        tool: 'bash',
        args: '{\n  "command": "npm test"\n}',
        words: { kind: 'command', command: 'npm test' },
        status: 'failed',
        result: [{ kind: 'text', text: '[error] 2 tests failed' }],
      },
      {
        id: 't4',
        kind: 'tool',
        tool: 'shop__list_orders',
        mcp: { server: 'shop', tool: 'list_orders' },
        args: '{}',
        status: 'done',
        result: [{ kind: 'text', text: '{"orders":[{"id":1}]}' }],
        structured: {
          shape: {
            kind: 'table',
            columns: ['id', 'customer', 'total', 'note'],
            rows: [
              ['1', 'Ada', '12.50', 'Deliver to the back door, please; the bell is broken'],
              ['2', 'Grace', '7.00', ''],
            ],
          },
          omitted: '8 of 160 fields are shown.',
          mismatch:
            'The result of "list_orders" does not match its output schema: total must be a number',
        },
        app: { callId: 't4' },
      },
      {
        id: 't5',
        kind: 'tool',
        tool: 'shop__get_order',
        mcp: { server: 'shop', tool: 'get_order' },
        args: '{\n  "id": 1\n}',
        words: { kind: 'values', values: [{ name: 'id', text: '1' }] },
        status: 'done',
        result: [{ kind: 'text', text: '{"id":1}' }],
        structured: {
          shape: {
            kind: 'pairs',
            pairs: [
              { key: 'id', value: '1' },
              { key: 'customer', value: 'Ada' },
              { key: 'tags', value: 'new, express' },
            ],
          },
        },
      },
      { id: 'a2', kind: 'assistant', text: answer, isStreaming: false },
      { id: 'n1', kind: 'notice', level: 'info', text: 'The tools of server "files" changed.' },
    ],
  },
  asking: {
    state: { ...readyState, status: 'running' },
    earlier: 0,
    transcript: [
      {
        id: 'u1',
        kind: 'user',
        text: 'Compare these.',
        attachments: [
          { label: 'architecture.md', detail: 'docs: docs://architecture.md' },
          { label: 'a-resource-with-a-rather-long-name-for-a-chip.json', detail: 'docs: x' },
          { label: 'Image', detail: 'image/png', isImage: true },
        ],
      },
      {
        id: 't1',
        kind: 'tool',
        tool: 'shop__pay',
        mcp: { server: 'shop', tool: 'pay' },
        args: '{\n  "order": 1\n}',
        status: 'running',
        progress: 'Waiting (1/3)',
        result: [],
      },
    ],
  },
  tasks: {
    state: { ...readyState, status: 'running', approvals: [] },
    earlier: 0,
    transcript: [
      { id: 'u1', kind: 'user', text: 'Find out about tides, and about Python' },
      {
        id: 't1',
        kind: 'tool',
        tool: 'everything__simulate-research-query',
        mcp: { server: 'everything', tool: 'simulate-research-query' },
        args: '{\n  "topic": "tides"\n}',
        status: 'background',
        progress: 'Analyzing content... · 2/4',
        task: { callId: 'c1', isDetached: true },
        result: [],
      },
      {
        id: 't2',
        kind: 'tool',
        tool: 'everything__simulate-research-query',
        mcp: { server: 'everything', tool: 'simulate-research-query' },
        args: '{\n  "topic": "python",\n  "ambiguous": true\n}',
        status: 'running',
        progress: 'waits for an answer · Found multiple interpretations for "python".',
        task: { callId: 'c2', isDetached: false },
        result: [],
      },
    ],
  },
  approval: {
    state: {
      ...readyState,
      status: 'running',
      mode: 'ask',
      approvals: [
        {
          id: 'p1',
          toolCallId: 't1',
          tool: 'files__write_file',
          mcp: { server: 'files', tool: 'write_file' },
          args: '{\n  "path": "src/cart.ts",\n  "content": "export const tax = 0.07;"\n}',
          words: {
            kind: 'values',
            values: [
              { name: 'path', text: 'src/cart.ts' },
              { name: 'content', text: 'export const tax = 0.07;\nexport const shipping = 4;' },
            ],
          },
          why: { kind: 'default' },
          claims: ['destructive'],
          places: ['folder', 'everywhere'],
        },
      ],
    },
    earlier: 0,
    transcript: [
      { id: 'u1', kind: 'user', text: 'Set the tax to 7 %.' },
      { id: 'a1', kind: 'assistant', text: 'I will change `cart.ts`.', isStreaming: false },
      {
        id: 't1',
        kind: 'tool',
        tool: 'files__write_file',
        mcp: { server: 'files', tool: 'write_file' },
        args: '{\n  "path": "src/cart.ts"\n}',
        status: 'awaiting_approval',
        result: [],
      },
      { id: 'a2', kind: 'assistant', text: '', isStreaming: true },
    ],
  },
  elsewhere: {
    state: {
      ...readyState,
      title: 'Why is the total wrong?',
      folders: [folders[0], { ...folders[1], waiting: 2 }],
      waiting: [
        { id: 'two.jsonl', title: 'Mend the tests', folder: 'empty', count: 2, isShown: false },
      ],
    },
    earlier: 140,
    transcript: [
      { id: 'u1', kind: 'user', text: 'one line of a pasted file\n'.repeat(40) },
      { id: 'a1', kind: 'assistant', text: 'It is long.', isStreaming: false },
      {
        id: 'n1',
        kind: 'notice',
        level: 'error',
        text: 'The provider rejected your API key or login. (401 Incorrect API key provided)',
        remedy: 'Try again, or choose another model.',
        actions: ['logIn'],
      },
      { id: 'n2', kind: 'notice', level: 'info', text: 'Stopped' },
    ],
  },
  problem: {
    state: {
      ...readyState,
      status: 'unavailable',
      tools: { mcp: 0, builtIn: 0, all: 0, stamp: 0 },
      mode: 'runFreely',
      model: undefined,
      thinking: undefined,
      problem: {
        message: 'Pi has no model that it can use.',
        remedy:
          'Pi keeps logins and keys in its own auth.json. You can also set the API key variable of a provider, or describe a model in /home/dev/.pi/agent/models.json, and try again.',
        ways: [
          {
            kind: 'editor',
            title: 'Models of VS Code: GitHub Copilot',
            text: 'They may be billed or count towards your plan. What you write goes there.',
            choices: [{ label: 'Choose Model…' }],
          },
          {
            kind: 'local',
            title: 'A model on this machine',
            text: 'It costs nothing, and nothing leaves the machine. Ollama answers, with 3 models.',
            choices: [{ label: 'Choose Model…' }],
          },
          {
            kind: 'account',
            title: 'An account or subscription',
            text: 'Your plan pays, within its limits. What you write goes to its provider.',
            choices: [
              { label: 'Claude Pro/Max', provider: 'anthropic' },
              { label: 'ChatGPT Plus/Pro', provider: 'openai-codex' },
              { label: 'GitHub Copilot', provider: 'github-copilot' },
              { label: 'More…' },
            ],
          },
          {
            kind: 'apiKey',
            title: 'An API key',
            text: 'You pay the provider per use. What you write goes there.',
            choices: [
              { label: 'Anthropic', provider: 'anthropic' },
              { label: 'OpenAI', provider: 'openai' },
              { label: 'Google', provider: 'google' },
              { label: 'OpenRouter', provider: 'openrouter' },
              { label: 'More…' },
            ],
          },
          {
            kind: 'server',
            title: 'A model server',
            text: 'Address of a server that speaks OpenAI’s protocol. What you write goes there.',
            choices: [{ label: 'Add Model Server…' }],
          },
        ],
        actions: ['openModels', 'reload'],
      },
    },
    earlier: 0,
    transcript: [],
  },
};
