// @ts-check
/** Sample states of the configuration page: everything that it can show at least once. */
import { pixel } from './parts.mjs';

const server = {
  kind: 'stdio',
  state: 'connected',
  reason: 'Connected',
  icon: 'pass-filled',
  sentence: 'The server is connected.',
  evidence: [],
  warnings: [],
  advice: [],
  summary: 'npx -y @modelcontextprotocol/server-memory',
  enabled: true,
  source: '/home/dev/.pi/agent/mcp.json',
  tools: [],
};

const picture = { light: pixel, dark: pixel };

/** @param {string} name */
function folderPlaces(name) {
  const local = `/home/dev/.pi/agent/pi-mcp/folders/${name}-0123456789abcdef/mcp.json`;
  return [
    { file: 'primary', label: `Folder ${name}: for Everybody`, path: `/work/${name}/.mcp.json` },
    { file: 'local', label: `Folder ${name}: Only You`, path: local },
  ];
}

export const configState = {
  isWorkspaceTrusted: true,
  pools: [
    {
      id: 'global',
      label: 'User',
      isGlobal: true,
      file: '/home/dev/.pi/agent/mcp.json',
      places: [
        {
          file: 'primary',
          label: 'User: Every Folder',
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
          reason: 'Cannot find module "dotenv"',
          icon: 'error',
          sentence: 'Server "docs" ended with exit code 1 before it was ready.',
          fix: {
            title: 'Run in Terminal',
            how: 'Read the lines below, then test the server again.',
          },
          evidence: ['Error: Cannot find module "dotenv"', '    at resolve (node:internal:12)'],
          summary: 'https://docs.example.com/mcp?token=***REDACTED***',
          warnings: ['Field "timeout" of server "docs" is not a number. The default is used.'],
          advice: ['Claude Code refuses server docs: a remote server needs a "type".'],
        },
        {
          ...server,
          id: 'global#search',
          name: 'search',
          state: 'disabled',
          reason: 'Disabled',
          icon: 'circle-slash',
          sentence: 'The server is disabled.',
          evidence: [],
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
          reason: 'Needs trust',
          icon: 'shield',
          sentence: 'The server waits for your trust before it runs.',
          evidence: [],
          fix: { title: 'Review…', how: 'Review the server, then trust it or its folder.' },
          source: '/work/shop/.mcp.json',
        },
        {
          ...server,
          id: 'file:///work/shop#broken',
          name: 'broken',
          kind: 'invalid',
          state: 'invalid',
          reason: 'Both command and URL',
          icon: 'warning',
          sentence: 'Server "broken" has both "command" and "url".',
          evidence: [],
          fix: { title: 'Open File', how: 'Keep the one that you mean.' },
          summary: '',
          source: '/work/shop/.mcp.json',
        },
        {
          ...server,
          id: 'file:///work/shop#slow',
          name: 'slow',
          state: 'connecting',
          reason: 'Starting',
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
