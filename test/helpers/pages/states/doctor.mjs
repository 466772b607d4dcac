// @ts-check
/** Sample states of Doctor: everything that it can show at least once. */

/** @param {string} label @param {string} text */
const fact = (label, text) => ({ label, text });

/** @type {import('../../../../src/protocol/doctor/doctorProtocol.js').DoctorServer} */
const failing = {
  id: 'global weather',
  name: 'weather',
  icon: 'error',
  reason: 'Cannot find module "/srv/weather/dist/index.js"',
  sentence: 'The server exited with code 1 before it was ready.',
  needsUser: true,
  code: 'exited_early',
  next: 'Check the command and its arguments; its output is in the log. Next try at 12:04:31',
  facts: [
    fact('entry', 'scope global, kind stdio, state error'),
    fact('source', '/home/ada/.pi/agent/mcp.json'),
    fact('command', 'node /srv/weather/dist/index.js --api-key ***REDACTED***'),
    fact('environment', 'LOG_LEVEL=debug'),
  ],
  notes: ['The package is not pinned. Pin it to 1.2.3.'],
  evidence: [
    '$ /usr/bin/node /srv/weather/dist/index.js --api-key ***REDACTED*** --a-flag-without-any-blanks-that-is-longer-than-a-narrow-page',
    'node:internal/modules/cjs/loader:1228',
    '  throw err;',
    'Error: Cannot find module "/srv/weather/dist/index.js"',
    'Node.js v22.19.0',
    'Exit code 1',
  ],
};

/** @type {import('../../../../src/protocol/doctor/doctorProtocol.js').DoctorServer} */
const waiting = {
  id: 'shop database',
  name: 'database (folder shop)',
  icon: 'shield',
  reason: 'Needs trust',
  sentence: 'The server waits for your trust before it runs.',
  needsUser: true,
  code: 'trust_required',
  next: 'Review and trust it first.',
  facts: [
    fact('entry', 'scope project, kind stdio, state trust_required'),
    fact('source', '/work/shop/.mcp.json'),
    fact('command', 'npx -y @example/database'),
  ],
  notes: [],
  evidence: [],
};

/** @type {import('../../../../src/protocol/doctor/doctorProtocol.js').DoctorServer} */
const signedOut = {
  id: 'global tickets',
  name: 'tickets',
  icon: 'key',
  reason: 'Sign in',
  sentence: 'The server wants you to sign in.',
  needsUser: true,
  code: 'unauthorized',
  next: 'Sign in.',
  facts: [
    fact('entry', 'scope global, kind http, state needs_auth'),
    fact('address', 'https://tickets.example/mcp'),
    fact('end', 'HTTP status 401'),
  ],
  notes: [],
  evidence: [],
};

/** @type {import('../../../../src/protocol/doctor/doctorProtocol.js').DoctorServer} */
const connected = {
  id: 'global everything',
  name: 'everything',
  icon: 'pass-filled',
  reason: 'Connected',
  sentence: 'The server is connected.',
  needsUser: false,
  facts: [
    fact('entry', 'scope global, kind stdio, state connected'),
    fact('source', '/home/ada/.pi/agent/mcp.json'),
    fact('command', 'npx -y @modelcontextprotocol/server-everything@2026.8.31'),
    fact('server', 'mcp-servers/everything 2.0.0'),
    fact('protocol', '2025-11-25'),
    fact('offers', 'tools: 13, resources: 100, prompts: 4'),
    fact('connected in', '412 ms'),
  ],
  notes: [],
  evidence: [],
};

/** @type {import('../../../../src/protocol/doctor/doctorProtocol.js').DoctorServer} */
const switchedOff = {
  ...connected,
  id: 'global files',
  name: 'files',
  icon: 'circle-slash',
  reason: 'Disabled',
  sentence: 'The server is switched off.',
  facts: [fact('entry', 'scope global, kind stdio, state disabled')],
};

const versions = [
  fact('Pi MCP', '0.1.0'),
  fact('Editor', 'Visual Studio Code 1.140.0'),
  fact('System', 'linux x64'),
  fact('Node.js', '22.19.0'),
  fact('Electron', '39.2.3'),
  fact('@earendil-works/pi-coding-agent', '0.87.1'),
  fact('@modelcontextprotocol/sdk', '1.32.2'),
  fact('@modelcontextprotocol/client', '2.4.0'),
];

const machine = [
  fact('shell', '/usr/bin/zsh'),
  fact('PATH of this process', '/usr/local/bin:/usr/bin:/bin'),
  fact('PATH of servers', '/home/ada/.local/bin:/usr/local/bin:/usr/bin:/bin'),
  fact('node', '/usr/local/bin/node'),
  fact('npx', '/usr/local/bin/npx'),
  fact('uvx', 'not found'),
  fact('docker', '/usr/bin/docker'),
];

/** @type {import('../../../../src/protocol/doctor/doctorProtocol.js').DoctorReport} */
export const wellReport = {
  isRestricted: false,
  versions,
  machine,
  files: [],
  servers: [connected, switchedOff],
  doubleStarts: [],
  leftovers: [],
  calls: [],
};

/** @type {import('../../../../src/protocol/doctor/doctorProtocol.js').DoctorReport} */
export const illReport = {
  ...wellReport,
  files: [{ path: '/work/shop/.pi/mcp.json', message: 'A comma is expected in line 7.' }],
  servers: [failing, waiting, signedOut, connected, switchedOff],
  doubleStarts: [
    {
      server: 'database (folder shop)',
      client: 'VS Code',
      kind: 'would',
      text: "VS Code's own agent reads the same entry and may start a copy of its own.",
    },
    {
      server: 'everything',
      client: 'Cursor',
      kind: 'would',
      text: 'Cursor has the same command in /home/ada/.cursor/mcp.json: who uses both runs it twice.',
    },
  ],
  leftovers: [
    {
      key: 'one',
      command: 'node /srv/weather/dist/index.js --api-key ***REDACTED***',
      facts: [
        fact('process', '41288'),
        fact('running since', '11/22/2026, 9:12:03 AM (2 hours ago)'),
        fact('processes', '3 in all'),
        fact('folders of its window', '/work/shop'),
        fact('its window', 'process 40110, since 11/22/2026, 8:57:40 AM (3 hours ago)'),
      ],
    },
    {
      key: 'two',
      command: '/usr/bin/python3 -m example_server --folder /work/shop',
      facts: [
        fact('process', '41301'),
        fact('running since', '11/22/2026, 9:12:04 AM (2 hours ago)'),
        fact('folders of its window', 'not known'),
        fact('its window', 'process 40110, since 11/22/2026, 8:57:40 AM (3 hours ago)'),
      ],
    },
  ],
  calls: [fact('everything/echo', '12 calls, median 3 ms, p95 9 ms, 4120 bytes, 980 tokens')],
};

/** @type {Record<string, { replies: Record<string, unknown>, steps: (page: import('playwright-core').Page) => Promise<unknown> }>} */
export const doctorStates = {
  well: {
    replies: { look: wellReport },
    steps: (page) => page.getByText('servers need attention.').first().waitFor(),
  },
  ill: {
    replies: {
      look: illReport,
      endLeftovers: { text: 'Stopped: 1. Could not be stopped: 1.', isWarning: true },
    },
    steps: (page) => page.getByRole('button', { name: 'weather' }).first().waitFor(),
  },
  restricted: {
    replies: {
      look: {
        ...wellReport,
        isRestricted: true,
        servers: [
          {
            ...waiting,
            reason: 'Restricted',
            sentence: 'Restricted Mode: nothing in this workspace is started.',
            next: 'Trust the workspace first.',
          },
        ],
        leftovers: undefined,
      },
    },
    steps: (page) => page.getByText('Restricted Mode: nothing').waitFor(),
  },
  ended: {
    replies: {
      look: illReport,
      endLeftovers: {
        text: 'Stopped: 1. Could not be stopped: 1. Refresh, or stop them by hand.',
        isWarning: true,
      },
    },
    steps: async (page) => {
      await page.getByRole('button', { name: 'Stop Them' }).click();
      await page.locator('main').getByText('Could not be stopped: 1.').waitFor();
    },
  },
  failed: {
    replies: { look: { error: 'The processes could not be read.' } },
    steps: (page) => page.getByRole('alert').waitFor(),
  },
};
