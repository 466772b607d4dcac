// @ts-check
/** Sample states of both pages: everything they can show at least once. */

const server = {
  kind: 'stdio',
  state: 'connected',
  stateWord: 'connected',
  icon: 'pass-filled',
  stateText: 'The server is connected.',
  warnings: [],
  advice: [],
  summary: 'npx -y @modelcontextprotocol/server-memory',
  enabled: true,
  source: '/home/dev/.pi/agent/mcp.json',
  tools: [],
};

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

const picture = { light: pixel, dark: pixel };

/** @param {string} name */
function folderPlaces(name) {
  const local = `/home/dev/.pi/agent/pi-mcp/folders/${name}-0123456789abcdef/mcp.json`;
  return [
    { file: 'primary', label: `Folder ${name}: for Everybody`, path: `/work/${name}/.mcp.json` },
    { file: 'local', label: `Folder ${name}: Yours Only`, path: local },
  ];
}

export const configState = {
  isWorkspaceTrusted: true,
  pools: [
    {
      id: 'global',
      label: 'Global',
      isGlobal: true,
      file: '/home/dev/.pi/agent/mcp.json',
      places: [
        {
          file: 'primary',
          label: 'Yours, in Every Folder',
          path: '/home/dev/.pi/agent/mcp.json',
        },
      ],
      hasFile: true,
      isMasterDisabled: false,
      fileProblems: [],
      servers: [
        {
          ...server,
          id: 'global#memory',
          name: 'memory',
          picture,
          tools: [
            {
              name: 'create_entities',
              description: 'Create multiple new entities in the graph',
              picture,
            },
            { name: 'read_graph', description: 'Read the entire knowledge graph' },
          ],
        },
        {
          ...server,
          id: 'global#docs',
          name: 'docs',
          kind: 'http',
          state: 'error',
          stateWord: 'error',
          icon: 'error',
          stateText: 'Server "docs" ended with exit code 1 before it was ready.',
          remedy: 'Read the lines below, then test the server again.',
          stderrTail: ['Error: Cannot find module "dotenv"', '    at resolve (node:internal:12)'],
          summary: 'https://docs.example.com/mcp?token=***REDACTED***',
          warnings: ['Field "timeout" of server "docs" is not a number. The default is used.'],
          advice: ['Claude Code refuses server docs: a remote server needs a "type".'],
        },
        {
          ...server,
          id: 'global#search',
          name: 'search',
          state: 'disabled',
          stateWord: 'disabled',
          icon: 'circle-slash',
          stateText: 'The server is switched off.',
          enabled: false,
        },
      ],
    },
    {
      id: 'file:///work/shop',
      label: 'shop',
      isGlobal: false,
      file: '/work/shop/.mcp.json',
      places: folderPlaces('shop'),
      hasFile: true,
      isMasterDisabled: false,
      fileProblems: [],
      trust: { kind: 'servers', pendingCount: 1 },
      servers: [
        {
          ...server,
          id: 'file:///work/shop#files',
          name: 'files',
          state: 'trust_required',
          stateWord: 'trust required',
          icon: 'shield',
          stateText: 'The server waits for your consent before it runs.',
          remedy: 'Review the server, then trust it or its folder.',
          source: '/work/shop/.mcp.json',
        },
        {
          ...server,
          id: 'file:///work/shop#broken',
          name: 'broken',
          kind: 'invalid',
          state: 'invalid',
          stateWord: 'invalid',
          icon: 'warning',
          stateText: 'Server "broken" has both "command" and "url".',
          remedy: 'Keep the one that you mean.',
          summary: '',
          source: '/work/shop/.mcp.json',
        },
        {
          ...server,
          id: 'file:///work/shop#slow',
          name: 'slow',
          state: 'connecting',
          stateWord: 'connecting',
          icon: 'loading~spin',
          source: '/work/shop/.mcp.json',
        },
      ],
    },
    {
      id: 'file:///work/empty',
      label: 'empty',
      isGlobal: false,
      file: '/work/empty/.mcp.json',
      places: folderPlaces('empty'),
      hasFile: false,
      isMasterDisabled: false,
      fileProblems: [
        {
          path: '/work/empty/.pi/mcp.json',
          isError: true,
          message: 'The file has a syntax error in line 12.',
          remedy: 'Fix it; until then the last good state is kept.',
        },
      ],
      trust: { kind: 'none', pendingCount: 0 },
      servers: [],
    },
  ],
};

/** What the extension says of a form in which everything is remarkable. */
export const formCheck = {
  offer: {
    line: 'npx -y @scope/server --root "my files"',
    name: 'server',
    entry: {
      kind: 'stdio',
      values: { command: 'npx', args: ['-y', '@scope/server', '--root', 'my files'] },
    },
  },
  secrets: [
    { field: 'env', label: 'API_TOKEN', reference: '${input:memory-api-token}' },
    { field: 'args', label: '3', reference: '${input:memory-token}' },
  ],
};

export const formEntry = {
  kind: 'stdio',
  values: {
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-memory', '', 'two words', '--key=***REDACTED***'],
    env: [
      { key: 'MEMORY_FILE_PATH', value: '***REDACTED***' },
      { key: 'API_TOKEN', value: '***REDACTED***' },
    ],
    cwd: '/work/shop',
    directTools: ['read_graph', 'search_nodes'],
    idleTimeout: 5,
  },
};

export const remoteEntry = {
  kind: 'http',
  values: {
    url: 'https://mcp.example.com/mcp',
    auth: 'oauth',
    'oauth.clientId': 'shop',
    'oauth.clientSecret': '***REDACTED***',
    'oauth.privateKey': '***REDACTED***',
  },
  kept: ['oauth.identityProvider.issuer'],
};

export const settingsEntry = {
  kind: 'stdio',
  values: { idleTimeout: 5, toolPrefix: 'short', approveTools: ['write_*'] },
};

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

const folders = [
  { uri: 'file:///work/shop', name: 'shop', waiting: 0 },
  { uri: 'file:///work/empty', name: 'empty', waiting: 0 },
];
const model = { provider: 'anthropic', id: 'large', label: 'Large Model 5', takesImages: true };

const readyState = {
  status: 'ready',
  folders,
  folder: folders[0],
  model,
  thinking: { text: 'High' },
  tools: { mcp: 12, builtIn: 7, all: 19, stamp: 1 },
  approvals: [],
  waiting: [],
  queue: { messages: [] },
  isYolo: false,
  isRestricted: false,
};

/** @param {string} text one line each, with its sign and number */
const diffOf = (text) =>
  text.split('\n').map((line) => ({
    kind: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same',
    number: Number(/\d+/.exec(line)?.[0]),
    text: line.replace(/^.\d+ /, ''),
  }));

const editedCart = {
  path: 'src/cart.ts',
  kind: 'edit',
  added: 2,
  removed: 1,
  hunks: [
    diffOf(
      ' 11 export function total(items) {\n-12   return items.length;\n+12   const sum = items.reduce((all, { price }) => all + price, 0);\n+13   return sum * (1 + tax);\n 14 }',
    ),
  ],
  omitted: 0,
  notes: ['Unsaved changes of yours were saved with it.'],
  callId: 'call-1',
};

const changedFile = {
  id: '/home/dev/app/src/cart.ts',
  path: 'src/cart.ts',
  added: 2,
  removed: 1,
  kind: 'edited',
  isMixed: false,
  isOfLastRun: true,
};

/** What the page is told of the file of {@link agentSnapshots}.changes. */
export const cartHunks = [
  {
    id: 'h1',
    isMixed: false,
    lines: editedCart.hunks[0]?.filter(({ kind }) => kind !== 'same'),
  },
];

export const agentSnapshots = {
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
            remarks: ['Left as it is: what it held is not kept.'],
            isChosen: false,
          },
        ],
        notes: [
          'Not covered: changes by commands (2).',
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
        uncovered: 'Not covered: changes by commands (2).',
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
        text: 'Rate limited by Anthropic. It went on at try 2.',
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
        text: 'Rate limited by Anthropic',
        detail: '429 Number of requests has exceeded your limit',
        attempt: 2,
        of: 3,
        until: Date.now() + 42_000,
      },
    ],
  },
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
          omitted: '2 of 40 rows and 4 of 4 columns are shown.',
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
      isYolo: false,
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
        text: 'The provider did not accept the login. (401 Incorrect API key provided)',
        remedy: 'Log in again, or choose another model.',
        action: 'logIn',
      },
      { id: 'n2', kind: 'notice', level: 'info', text: 'Stopped.' },
    ],
  },
  problem: {
    state: {
      ...readyState,
      status: 'unavailable',
      tools: { mcp: 0, builtIn: 0, all: 0, stamp: 0 },
      isYolo: true,
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
            title: 'A server of your own',
            text: 'It speaks OpenAI’s protocol. What you write goes to its address.',
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

/** What is told to an empty conversation. */
export const startView = {
  folder: folders[0]?.uri,
  recent: [
    { id: 'one.jsonl', title: 'Fix login', facts: 'needs you, 5 minutes ago', icon: 'bell-dot' },
    {
      id: 'two.jsonl',
      title: 'Why is the total of the cart wrong when the tax is added twice?',
      facts: '2 hours ago',
      icon: 'comment-discussion',
    },
    { id: 'three.jsonl', title: 'Tidy the tests', facts: 'failed, yesterday', icon: 'error' },
  ],
  servers: {
    text: 'MCP servers: 3 of 6 ready',
    steps: [
      { kind: 'review', text: 'Review files…' },
      { kind: 'signIn', text: 'Sign in to github…', server: 'global#github' },
      { kind: 'show', text: 'docs fails' },
    ],
  },
};

/** What fills the context of the snapshot `context`. */
export const contextView = {
  parts: [
    { kind: 'system', tokens: 2100, items: [] },
    {
      kind: 'instructions',
      tokens: 3400,
      items: [
        { name: 'AGENTS.md', tokens: 2600 },
        { name: '/home/dev/.pi/agent/AGENTS.md', tokens: 500 },
        { name: 'github', tokens: 300 },
      ],
    },
    {
      kind: 'tools',
      tokens: 14200,
      items: [
        { name: 'github', tokens: 9800 },
        { name: 'Built in', tokens: 2900 },
        { name: 'Search and gateway', tokens: 900 },
        { name: 'a-server-with-a-rather-long-name-for-a-row', tokens: 600 },
      ],
    },
    {
      kind: 'attachments',
      tokens: 5200,
      items: [
        { name: 'Images', tokens: 3600 },
        { name: 'Files and resources', tokens: 1600 },
      ],
    },
    {
      kind: 'conversation',
      tokens: 32700,
      items: [
        { name: 'Results of github: search_issues', tokens: 18300 },
        { name: 'Pi', tokens: 9100 },
        { name: 'Results of read', tokens: 4400 },
        { name: 'You', tokens: 900 },
      ],
    },
    { kind: 'summary', tokens: 10400, items: [] },
  ],
  lastTurn: { requests: 3, sent: 195120, cached: 158040, received: 1204, cost: 0.0412 },
  all: { requests: 48, sent: 2400310, cached: 1900010, received: 22410, cost: 0.4127 },
  turns: 14,
  limits: { isAutomatic: true, above: 180000, keeps: 20000, isOwn: false },
};

/** What a page is told beside its snapshot, and what is typed then. */
export const agentInputs = {
  asking: {
    draft: '/',
    inputs: {
      commands: [
        { command: '/mcp', description: 'List the MCP servers', arguments: [] },
        {
          command: '/mcp reconnect',
          description: 'Connect to a server afresh',
          arguments: ['server?'],
          parent: '/mcp',
        },
        {
          command: '/mcp reconnect shop',
          description: 'connected',
          arguments: [],
          parent: '/mcp reconnect',
        },
        {
          command: '/docs:summarize',
          description: 'Summarizes a page',
          arguments: ['page', 'tone?'],
        },
        ...['invoice', 'refund', 'order', 'track', 'return', 'rate'].map((name) => ({
          command: `/shop:${name}`,
          description: '',
          arguments: [],
        })),
      ],
      attachments: [
        {
          id: 'a',
          kind: 'resource',
          label: 'architecture.md',
          detail: 'docs: architecture.md',
        },
        {
          id: 'b',
          kind: 'file',
          label: 'checkout with a long name.test.ts',
          detail: 'packages/shop/test/checkout with a long name.test.ts',
          tokens: 2_310,
        },
        { id: 'c', kind: 'pasted', label: 'Pasted text, 120 lines', detail: '', tokens: 900 },
        {
          id: 'd',
          kind: 'image',
          label: 'screenshot.png',
          detail: 'screenshot.png',
          tokens: 1_290,
        },
      ],
      edited: [],
      questions: [{ id: 'q', server: 'shop', text: 'Which card do you want to pay with?' }],
      choices: [
        {
          id: 's',
          server: 'shop',
          title: 'Sign in in your browser. Does it end on a page that cannot be opened?',
          rows: [{ label: 'MCP server', text: 'shop' }],
          choices: ['Paste Its Address…', 'Sign In on Another Device', 'Cancel'].map((label) => ({
            label,
            isConsent: false,
          })),
        },
      ],
      forms: [],
    },
  },
};

/** What the page is told of what may be mentioned. */
export const mentionedRows = [
  {
    id: '1/0',
    kind: 'selection',
    label: 'Selection',
    detail: 'src/cart.ts:12-20',
    word: 'selection',
  },
  { id: '1/1', kind: 'file', label: 'cart.ts', detail: 'src/', word: 'cart.ts' },
  {
    id: '1/2',
    kind: 'file',
    label: 'my file#1.ts',
    detail: 'packages/with-a-long-name/test/integration/checkout/',
    word: 'my file#1.ts',
  },
  { id: '1/3', kind: 'folder', label: 'src/', detail: '', word: 'src/' },
  { id: '1/4', kind: 'symbol', label: 'totalOfCart', detail: 'src/cart.ts:3', word: 'totalOfCart' },
  { id: '1/5', kind: 'problems', label: 'Problems (2)', detail: 'src/cart.ts', word: 'problems' },
  {
    id: '1/6',
    kind: 'terminal',
    label: 'Terminal: npm test',
    detail: 'bash, ended with 1',
    word: 'terminal',
  },
  {
    id: '1/7',
    kind: 'changes',
    label: 'Git changes (2 files)',
    detail: 'main, src/cart.ts, README.md',
    word: 'changes',
  },
  {
    id: '1/8',
    kind: 'resource',
    label: 'architecture.md',
    detail: 'docs: demo://architecture.md',
    word: 'architecture.md',
  },
  {
    id: '1/9',
    kind: 'choose',
    label: 'Choose Files…',
    detail: 'from anywhere on this machine',
    word: '',
  },
];

/** A picture of one red pixel. */
export const redPixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const runToolSchema = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      title: 'Path',
      description: 'Where the notes are, from the folder of the project.',
      examples: ['notes/today.md'],
    },
    limit: {
      type: 'integer',
      description: 'At most so many.',
      default: 20,
      minimum: 1,
      maximum: 100,
    },
    order: { type: 'string', enum: ['newest', 'oldest', 'title'] },
    deep: { type: 'boolean', description: 'Folders inside of it too.' },
    tags: { type: 'array', items: { enum: ['work', 'home', 'later'] } },
    zone: { type: 'string', enum: Array.from({ length: 600 }, (_, at) => `Zone/${at}`) },
    color: { enum: Array.from({ length: 40 }, (_, at) => `color ${at}`) },
    note: {
      anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }],
      description: 'A day, or none.',
    },
    token: { type: 'string', format: 'password' },
    version: { const: 2 },
    picture: { type: 'string', contentEncoding: 'base64' },
    where: {
      oneOf: [
        {
          title: 'In a Box',
          type: 'object',
          properties: { width: { type: 'number' }, height: { type: 'number' } },
          required: ['width', 'height'],
        },
        {
          title: 'By Name',
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
        },
      ],
    },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, text: { type: 'string' } },
        required: ['id'],
      },
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    any: {},
  },
  required: ['path'],
};

export const runToolView = {
  subject: { server: 'global#notes', tool: 'search_notes' },
  server: 'notes',
  name: 'search_notes',
  title: 'Search Notes',
  description:
    'Finds notes by their words, and tells where they are.\nIt reads at most a hundred of them.',
  inputSchema: runToolSchema,
  warning: 'The tool may change something. It runs without a question.',
  timeoutMs: 60_000,
  hasGateway: true,
  history: [
    {
      id: '2',
      outcome: 'done',
      ms: 240,
      when: '3 minutes ago',
      args: { path: 'notes', limit: 5 },
      lacksSecrets: false,
    },
    {
      id: '1',
      outcome: 'failed',
      ms: 31,
      when: 'yesterday',
      args: { path: 'nowhere' },
      lacksSecrets: true,
    },
  ],
};

export const runOutcome = {
  end: 'done',
  ms: 1240,
  tokens: 312,
  structured: {
    shape: {
      kind: 'table',
      columns: ['id', 'title'],
      rows: [
        ['1', 'Milk'],
        ['2', 'A longer title of a note'],
      ],
    },
    mismatch:
      'The result of "search_notes" does not match its output schema: data/rows/1 lacks the property day',
  },
  blocks: [
    { kind: 'text', text: 'Found 2 notes.\n- Milk\n- A longer title of a note' },
    { kind: 'image', source: pixel },
    { kind: 'link', uri: 'notes://today', name: 'Today' },
    { kind: 'resource', uri: 'notes://1', text: 'Buy milk.' },
    { kind: 'file', mimeType: 'audio/wav', size: 5120, file: 0 },
  ],
};
