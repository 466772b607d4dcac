// @ts-check
/** Sample states of the configuration page: everything that it can show at least once. */
import { pixel } from './parts.mjs';
import { serverStart } from './server.mjs';

const server = {
  kind: 'stdio',
  state: 'connected',
  reason: 'Connected',
  icon: 'pass-filled',
  tools: '',
  enabled: true,
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
          tools: '2 tools',
        },
        {
          ...server,
          id: 'global#docs',
          name: 'docs',
          kind: 'http',
          state: 'error',
          reason: 'Cannot find module "dotenv"',
          icon: 'error',
          fix: 'Run in Terminal',
        },
        {
          ...server,
          id: 'global#search',
          name: 'search',
          state: 'disabled',
          reason: 'Disabled',
          icon: 'circle-slash',
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
      use: { isLent: true, profile: 'profile review' },
      servers: [
        {
          ...server,
          id: 'file:///work/shop#files',
          name: 'files',
          state: 'trust_required',
          reason: 'Needs trust',
          icon: 'shield',
          fix: 'Review…',
        },
        {
          ...server,
          id: 'file:///work/shop#broken',
          name: 'broken',
          kind: 'invalid',
          state: 'invalid',
          reason: 'Both command and URL',
          icon: 'warning',
          fix: 'Open File',
        },
        {
          ...server,
          id: 'file:///work/shop#slow',
          name: 'slow',
          state: 'connecting',
          reason: 'Starting',
          icon: 'loading~spin',
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
      use: { isLent: false, profile: '' },
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

/** What the list is told. */
export const listStart = {
  ready: configState,
  measure: { memory: { 'global#memory': '42 MB' } },
};

/**
 * What the page of a server is told whose form is open.
 * @param {object} [read] what its file has
 */
export const editStart = (read = { name: 'memory', entry: formEntry }) => ({
  ...serverStart({ tab: 'settings' }),
  ready: { target: { poolId: 'global', id: 'global#memory' }, pools: configState.pools },
  read,
  saveServer: { saved: true, id: 'global#memory' },
});

/**
 * What the page of a form is told that has no server.
 * @param {string} poolId
 * @param {boolean} [isSettings] of a file
 */
export const formStart = (poolId, isSettings = false) => ({
  open: { kind: 'alone', tab: 'settings', subject: { form: { poolId, isSettings } } },
  ready: { target: { poolId, isSettings }, pools: configState.pools },
  read: { name: '', entry: isSettings ? settingsEntry : { kind: 'stdio', values: {} } },
  saveServer: { saved: true, id: `${poolId}#new` },
  saveSettings: { saved: true, id: poolId },
});
