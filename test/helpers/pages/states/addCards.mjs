// @ts-check
/** What the page that adds servers gets to show: rows and details of registries, and cards of what was pasted. */

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

/** @param {Record<string, object>} [properties] @param {readonly string[]} [required] */
export const schema = (properties = {}, required = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
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
      schema: schema(
        {
          WEATHER_API_KEY: {
            type: 'string',
            format: 'password',
            title: 'WEATHER_API_KEY',
            description: 'Key of the service',
          },
          WEATHER_UNITS: {
            type: 'string',
            enum: ['metric', 'imperial'],
            default: 'metric',
            title: 'WEATHER_UNITS',
          },
          folders: {
            type: 'array',
            items: { type: 'string' },
            title: 'folders',
            description: 'What it may read',
          },
          '--verbose': { type: 'boolean', title: '--verbose', description: 'Says more in the log' },
          '--days': { type: 'number', default: 5, title: '--days' },
        },
        ['WEATHER_API_KEY'],
      ),
      secrets: ['WEATHER_API_KEY'],
    },
    {
      id: 'package-1',
      title: 'mcpb: https://github.com/example/weather/releases/download/v1/weather.mcpb',
      blocker: 'It is a bundle at github.com. Its download is checked and shown first.',
      isBundle: true,
      schema: schema(),
      secrets: [],
    },
    { id: 'remote-0', title: 'https://mcp.weather.example/mcp', schema: schema(), secrets: [] },
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

/** @param {object} [rest] */
export const pastedCard = (rest = {}) => ({
  id: '7',
  title: 'linked',
  description: '',
  facts: ['Package @example/linked'],
  cautions: [],
  links: [],
  ways: [
    {
      id: 'pasted',
      title: 'npx -y @example/linked',
      schema: schema({
        'secret-env-API_TOKEN': {
          type: 'string',
          format: 'password',
          title: 'API_TOKEN',
          description: 'Empty: the value that was pasted.',
        },
      }),
      secrets: ['secret-env-API_TOKEN'],
    },
  ],
  suggestedName: 'linked',
  ...rest,
});

/** @param {object} [rest] */
export const servers = (rest = {}) => ({
  kind: 'servers',
  what: 'A command line',
  mayBeWords: true,
  cards: [pastedCard()],
  isOpen: true,
  ...rest,
});

export const bundle = servers({
  what: 'A bundle',
  mayBeWords: false,
  cards: [
    pastedCard({
      title: 'Notes',
      description: 'Keeps notes in folders that you choose',
      facts: [
        'notes, version 1.2.0',
        'It says that it is by Example. It was not checked.',
        'It carries a signature, which was not checked.',
        '412 files, 3.4 MB unpacked',
        'SHA-256: 07f0072c1c1a3d5f7f88132ef0047e7007f0072c1c1a3d5f7f88132ef0047e70',
      ],
      ways: [
        {
          id: 'bundle',
          title: 'Bundle notes 1.2.0',
          schema: schema(
            {
              'option-folders': {
                type: 'array',
                items: { type: 'string' },
                title: 'Folders',
                description: 'What it may read',
                default: ['/home/dev/notes', '/home/dev/more'],
              },
              'option-api_key': { type: 'string', format: 'password', title: 'API Key' },
            },
            ['option-api_key'],
          ),
          secrets: ['option-api_key'],
        },
      ],
      suggestedName: 'notes',
    }),
  ],
});

export const ofUrl = servers({
  what: 'The URL of a server',
  mayBeWords: false,
  host: 'mcp.weather.example',
  cards: [
    pastedCard({
      title: 'weather',
      facts: [],
      ways: [
        {
          id: 'pasted',
          title: 'https://mcp.weather.example/mcp',
          schema: schema(),
          secrets: [],
        },
      ],
    }),
  ],
});
export const ofHost = servers({
  what: 'mcp.weather.example: 3 servers',
  mayBeWords: false,
  cards: [
    pastedCard({
      id: '11',
      title: 'Weather',
      description: 'Forecasts by place',
      facts: [
        'com.example/weather, version 1.2.0',
        'mcp.weather.example lists it. It was not checked.',
      ],
      ways: [
        {
          id: 'remote-0',
          title: 'https://mcp.weather.example/{region}/mcp',
          schema: schema(
            {
              'remote-0-url-region': {
                type: 'string',
                enum: ['eu', 'us'],
                default: 'eu',
                title: 'region',
                description: 'Where forecasts are made',
              },
              'remote-0-header-Authorization-token': {
                type: 'string',
                format: 'password',
                title: 'token',
              },
            },
            ['remote-0-header-Authorization-token'],
          ),
          secrets: ['remote-0-header-Authorization-token'],
        },
      ],
      suggestedName: 'weather',
    }),
    pastedCard({
      id: '12',
      title: 'com.example/hosted',
      facts: [
        'com.example/hosted, version 0.3.0',
        'mcp.weather.example lists it. It was not checked.',
      ],
      cautions: [
        'Its address is not at mcp.weather.example, but at another host: saas.elsewhere.example',
      ],
      ways: [
        {
          id: 'remote-0',
          title: 'https://saas.elsewhere.example/hosted/mcp',
          schema: schema(),
          secrets: [],
        },
      ],
      suggestedName: 'hosted',
    }),
    pastedCard({
      id: '13',
      title: 'urn:air:example.com:mcp:elsewhere',
      facts: ['mcp.weather.example lists it. It was not checked.'],
      ways: [
        {
          id: 'missing',
          title: 'https://cards.elsewhere.example/mcp/server-card',
          blocker:
            'Its card is at another host, cards.elsewhere.example, which was not asked. Paste this address to ask it: https://cards.elsewhere.example/mcp/server-card',
          schema: schema(),
          secrets: [],
        },
      ],
      suggestedName: 'elsewhere',
    }),
  ],
});
