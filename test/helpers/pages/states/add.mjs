// @ts-check
/** Sample states of the page that adds servers. */
import {
  bundle,
  ofHost,
  ofUrl,
  pastedCard,
  registryDetails,
  registryPreview,
  registryRows,
  schema,
  servers,
} from './addCards.mjs';

const places = [
  {
    id: 'primary file:///work/shop',
    label: 'Folder shop: for Everybody',
    path: '/work/shop/.mcp.json',
  },
  {
    id: 'local file:///work/shop',
    label: 'Folder shop: Only You',
    path: '/home/dev/.pi/agent/pi-mcp/folders/shop-0123456789abcdef/mcp.json',
  },
  { id: 'primary global', label: 'User: Every Folder', path: '/home/dev/.pi/agent/mcp.json' },
];

const start = {
  address: 'registry.modelcontextprotocol.io/v0.1',
  places,
  imports: [
    { source: 'cursor', label: 'Cursor', count: 3 },
    { source: 'claude-code', label: 'Claude Code', count: 1 },
  ],
};
const replies = {
  openPackage: { kind: 'wrong', message: 'It is another file.', remedy: 'Download it by hand.' },
  ready: start,
  read: { kind: 'search', text: 'weather' },
  readClipboard: 'npx -y @example/linked',
  import: servers({ what: '3 servers of another program', mayBeWords: false }),
  search: registryRows,
  open: registryDetails,
  preview: registryPreview,
  add: { id: 'x', name: 'weather' },
};

/** @typedef {import('playwright-core').Page} Page */
const nothing = async () => {};
/** @param {string} text */
const typing = (text) => async (/** @type {Page} */ page) => {
  await page.locator('#box').fill(text);
};
const listed = async (/** @type {Page} */ page) => {
  await typing('weather')(page);
  await page.getByRole('button', { name: /^Weather/ }).waitFor();
};
const openFirst = async (/** @type {Page} */ page) => {
  await listed(page);
  await page.getByRole('button', { name: /^Weather/ }).click();
  await page.getByRole('heading', { name: 'Weather', exact: true }).waitFor();
};
const pasted = async (/** @type {Page} */ page) => {
  await typing('npx -y @example/linked')(page);
  await page.getByRole('heading', { name: 'linked', exact: true }).first().waitFor();
};

/** @type {Record<string, { replies: Record<string, unknown>, steps: (page: Page) => Promise<void> }>} */
export const addStates = {
  empty: { replies, steps: nothing },
  clipboard: {
    replies: { ...replies, ready: { ...start, clipboard: 'JSON of 2 servers' } },
    steps: nothing,
  },
  wrong: {
    replies: {
      ...replies,
      read: {
        kind: 'wrong',
        message: 'The JSON is broken in line 1, column 16: "," is missing.',
        remedy: 'Copy the part that describes the server.',
        at: 15,
      },
    },
    steps: async (page) => {
      await typing('{"command": "x" "y"}')(page);
      await page.getByRole('button', { name: 'Go to the Place' }).waitFor();
    },
  },
  bundle: {
    replies: { ...replies, openBundle: bundle },
    steps: async (page) => {
      await page.getByRole('button', { name: 'Open Bundle…' }).click();
      await page.getByRole('heading', { name: 'Notes', exact: true }).waitFor();
    },
  },
  pasted: { replies: { ...replies, read: servers() }, steps: pasted },
  host: {
    replies: {
      ...replies,
      read: ofUrl,
      discover: { kind: 'wrong', message: 'mcp.weather.example lists no MCP servers.', remedy: '' },
    },
    steps: async (page) => {
      await typing('https://mcp.weather.example/mcp')(page);
      await page.getByRole('button', { name: /^Look for servers/ }).click();
      await page.getByText('lists no MCP servers').waitFor();
    },
  },
  cards: {
    replies: { ...replies, read: ofUrl, discover: ofHost },
    steps: async (page) => {
      await typing('https://mcp.weather.example/mcp')(page);
      await page.getByRole('button', { name: /^Look for servers/ }).click();
      await page.getByRole('heading', { name: 'Weather', exact: true }).waitFor();
    },
  },
  several: {
    replies: {
      ...replies,
      read: servers({
        what: 'JSON of 3 servers',
        mayBeWords: false,
        cards: [
          pastedCard(),
          pastedCard({
            id: '8',
            title: 'broken',
            ways: [
              {
                id: 'pasted',
                title: 'broken',
                blocker: 'The server has both a command and a URL.',
                schema: schema(),
                secrets: [],
              },
            ],
          }),
          pastedCard({ id: '9', title: 'other', suggestedName: 'other' }),
        ],
      }),
    },
    steps: pasted,
  },
  list: { replies, steps: listed },
  nothing: { replies: { ...replies, search: { rows: [] } }, steps: typing('weather') },
  failed: {
    replies: {
      ...replies,
      search: {
        error: 'The registry does not answer for now (HTTP 429). Wait a moment and try again.',
      },
    },
    steps: typing('weather'),
  },
  form: { replies, steps: openFirst },
  incomplete: {
    replies: {
      ...replies,
      preview: {
        troubles: [{ field: 'WEATHER_API_KEY', message: 'A value is needed here.' }],
        lines: [],
        cautions: [],
        text: '',
      },
      add: { error: 'A value is needed here.' },
    },
    steps: async (page) => {
      await openFirst(page);
      await page.getByRole('button', { name: 'Add: weather' }).click();
    },
  },
  cautions: {
    replies: {
      ...replies,
      open: {
        ...registryDetails,
        cautions: [
          'Its publisher says that it should not be used any more: Use com.example/both instead.',
        ],
      },
      preview: {
        ...registryPreview,
        cautions: [
          'It may run other code: --entrypoint, sh, -v, /:/host, --index-url=https://packages.elsewhere.example/simple.',
          'Its container sees every file of this machine.',
          'It names no exact version: what runs can change without notice.',
        ],
      },
    },
    steps: openFirst,
  },
  blocked: {
    replies,
    steps: async (page) => {
      await openFirst(page);
      await page.getByRole('radio', { name: /^mcpb/ }).check();
    },
  },
  gone: {
    replies: {
      ...replies,
      open: {
        error:
          'The registry has no such server: io.github.example/weather. Search for it: it may have been renamed or deleted.',
      },
    },
    steps: async (page) => {
      await listed(page);
      await page.getByRole('button', { name: /^Weather/ }).click();
    },
  },
  linked: {
    replies: {
      ...replies,
      ready: { ...start, shown: servers({ what: 'An install link', mayBeWords: false }) },
    },
    steps: async (page) => {
      await page.getByRole('heading', { name: 'linked', exact: true }).waitFor();
    },
  },
};
