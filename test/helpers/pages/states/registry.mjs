// @ts-check
/** Sample states of the page that adds servers from the registry. */

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

/** @param {string} name @param {object} [rest] */
const row = (name, rest = {}) => ({
  name,
  title: name.split('/')[1] ?? name,
  description: 'What it does for those who use it',
  version: '1.2.3',
  isDeprecated: false,
  kinds: ['npm'],
  usedAs: [],
  ...rest,
});

export const registryRows = {
  rows: [
    row('io.github.example/weather', { title: 'Weather', description: 'Forecasts by place' }),
    row('com.example/container', { kinds: ['oci', 'remote'], usedAs: ['container', 'box'] }),
    row('com.example/old', { isDeprecated: true }),
    row(`com.example/${'a-very-long-name-of-a-server-'.repeat(3)}end`, {
      description:
        'A description that goes on for longer than two lines of the list can hold, so that it is cut there. '.repeat(
          2,
        ),
      kinds: ['pypi', 'remote'],
    }),
    row('com.example/plain', { description: '' }),
  ],
  cursor: '30',
};

/** @param {string} id @param {object} [rest] */
const field = (id, rest = {}) => ({
  id,
  label: id,
  help: '',
  isRequired: false,
  isSecret: false,
  control: 'text',
  choices: [],
  initial: '',
  placeholder: '',
  ...rest,
});

export const registryDetails = {
  id: '1',
  title: 'Weather',
  description: 'Forecasts by place',
  facts: [
    'io.github.example/weather, version 1.2.3',
    'This version was published 3 days ago.',
    'Published by the GitHub account example. It was not checked.',
  ],
  cautions: [],
  links: [
    { id: 'repository', label: 'https://github.com/example/weather' },
    { id: 'website', label: 'https://weather.example/' },
  ],
  ways: [
    {
      id: 'package-0',
      title: 'npm: @example/weather@1.2.3',
      fields: [
        field('WEATHER_API_KEY', { help: 'Key of the service', isRequired: true, isSecret: true }),
        field('WEATHER_UNITS', {
          control: 'choice',
          choices: ['metric', 'imperial'],
          initial: 'metric',
        }),
        field('folders', {
          control: 'lines',
          help: 'What it may read',
          placeholder: '/home/dev/maps',
        }),
        field('--verbose', { control: 'check', help: 'Says more in the log' }),
        field('--days', { control: 'number', initial: '5' }),
      ],
    },
    {
      id: 'package-1',
      title: 'mcpb: https://github.com/example/weather/releases/download/v1/weather.mcpb',
      blocker: 'Download the bundle, check what it holds, then add the command in it.',
      fields: [],
    },
    { id: 'remote-0', title: 'https://mcp.weather.example/mcp', fields: [] },
  ],
  suggestedName: 'weather',
};

export const registryPreview = {
  troubles: [],
  lines: [
    { label: 'command', text: 'npx -y @example/weather@1.2.3' },
    { label: 'sets', text: 'WEATHER_API_KEY=${input:weather-api-key}' },
    { label: 'reads', text: 'the input "weather-api-key"' },
  ],
  cautions: [],
  text: JSON.stringify(
    {
      weather: {
        command: 'npx',
        args: ['-y', '@example/weather@1.2.3'],
        env: { WEATHER_API_KEY: '${input:weather-api-key}' },
      },
    },
    null,
    2,
  ),
};

const start = { address: 'registry.modelcontextprotocol.io/v0.1', places };
const replies = {
  ready: start,
  search: registryRows,
  open: registryDetails,
  preview: registryPreview,
};

/** @typedef {import('playwright-core').Page} Page */
const nothing = async () => {};
const openFirst = async (/** @type {Page} */ page) => {
  await page.getByRole('button', { name: /^Weather/ }).click();
  await page.getByRole('heading', { name: 'Weather', exact: true }).waitFor();
};

/** @type {Record<string, { replies: Record<string, unknown>, steps: (page: Page) => Promise<void> }>} */
export const registryStates = {
  list: { replies, steps: nothing },
  empty: { replies: { ...replies, search: { rows: [] } }, steps: nothing },
  failed: {
    replies: {
      ...replies,
      search: {
        error: 'The registry takes no more requests for now. Wait a little, then try again.',
      },
    },
    steps: nothing,
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
          'A variable of its entry decides where its address leads: https://good.example.elsewhere.example:8443',
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
      await page.getByRole('button', { name: /^Weather/ }).click();
    },
  },
  added: {
    replies: {
      ...replies,
      add: { id: 'x', name: 'weather', path: '/work/shop/.mcp.json', needsConsent: true },
    },
    steps: async (page) => {
      await openFirst(page);
      await page.getByRole('button', { name: 'Add: weather' }).click();
      await page.getByRole('heading', { name: /Server added/ }).waitFor();
    },
  },
  linked: {
    replies: {
      ...replies,
      ready: {
        ...start,
        linked: {
          ...registryDetails,
          title: 'linked',
          description: '',
          facts: ['A link has brought this server. It was not checked.'],
          links: [],
          ways: [{ id: 'link', title: 'npx -y @example/linked', fields: [] }],
          suggestedName: 'linked',
        },
      },
    },
    steps: async (page) => {
      await page.getByRole('heading', { name: 'linked', exact: true }).waitFor();
    },
  },
};
