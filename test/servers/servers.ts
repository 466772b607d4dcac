/**
 * Public servers of the npm registry that list what they offer without an account, in pinned versions. `{home}` and
 * `{work}` in arguments and variables become folders of the run. Values of accounts are made up: they are never sent.
 */
export interface PublicServer {
  /** With its exact version. */
  readonly package: string;
  /** Of several programs of the package. Default: its only or first one. */
  readonly bin?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Calls that change nothing outside the folders of the run, beside those that the ring finds by itself. */
  readonly calls?: readonly SafeCall[];
}

interface SafeCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const official = '@modelcontextprotocol/server';
const app = (name: string, version = '2.0.3'): PublicServer => ({
  package: `${official}-${name}@${version}`,
  args: ['--stdio'],
});

export const publicServers: readonly PublicServer[] = [
  {
    package: `${official}-everything@2026.8.31`,
    args: ['stdio'],
    calls: [
      { tool: 'echo', args: { message: 'hi' } },
      { tool: 'get-sum', args: { a: 2, b: 3 } },
      { tool: 'get-tiny-image', args: {} },
      { tool: 'get-structured-content', args: { location: 'Chicago' } },
      { tool: 'get-annotated-message', args: { messageType: 'error', includeImage: true } },
      { tool: 'get-resource-links', args: { count: 3 } },
    ],
  },
  {
    package: `${official}-filesystem@2026.8.31`,
    args: ['{work}'],
    calls: [
      { tool: 'list_directory', args: { path: '{work}' } },
      { tool: 'write_file', args: { path: '{work}/a.txt', content: 'one\ntwo\n' } },
      { tool: 'read_text_file', args: { path: '{work}/a.txt' } },
      { tool: 'read_text_file', args: { path: '/etc/hostname' } },
    ],
  },
  {
    package: `${official}-memory@2026.8.31`,
    env: { MEMORY_FILE_PATH: '{work}/memory.json' },
    calls: [
      {
        tool: 'create_entities',
        args: { entities: [{ name: 'a', entityType: 'thing', observations: ['blue'] }] },
      },
      { tool: 'read_graph', args: {} },
      { tool: 'search_nodes', args: { query: 'blue' } },
    ],
  },
  {
    package: `${official}-sequential-thinking@2026.8.31`,
    calls: [
      {
        tool: 'sequentialthinking',
        args: { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      },
    ],
  },
  {
    package: `${official}-github@2025.4.8`,
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'not-a-token' },
  },
  {
    package: `${official}-gitlab@2025.4.25`,
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'not-a-token' },
  },
  {
    package: `${official}-slack@2025.4.25`,
    env: { SLACK_BOT_TOKEN: 'not-a-token', SLACK_TEAM_ID: 'none' },
  },
  { package: `${official}-brave-search@0.6.2`, env: { BRAVE_API_KEY: 'not-a-key' } },
  { package: `${official}-google-maps@0.6.2`, env: { GOOGLE_MAPS_API_KEY: 'not-a-key' } },
  { package: `${official}-postgres@0.6.2`, args: ['postgresql://127.0.0.1:9/none'] },
  { package: `${official}-puppeteer@2025.5.12` },
  app('basic-react'),
  app('basic-vanillajs'),
  app('budget-allocator'),
  app('cohort-heatmap'),
  app('customer-segmentation'),
  app('map'),
  app('pdf', '2.0.4'),
  app('scenario-modeler'),
  app('shadertoy'),
  app('sheet-music'),
  app('system-monitor'),
  app('threejs'),
  app('video-resource'),
  app('wiki-explorer'),
  { package: '@playwright/mcp@0.0.83' },
  { package: '@upstash/context7-mcp@4.1.1' },
  { package: 'chrome-devtools-mcp@1.11.0' },
  { package: '@notionhq/notion-mcp-server@2.5.2', env: { NOTION_TOKEN: 'not-a-token' } },
  { package: '@eslint/mcp@0.3.13' },
  { package: '@drawio/mcp@1.6.1' },
  { package: '@react-aria/mcp@1.2.1' },
  { package: '@mui/mcp@0.1.6' },
  { package: '@mantine/mcp-server@9.6.2' },
  { package: '@primevue/mcp@5.0.1' },
  { package: '@vuetify/mcp@0.12.1' },
  { package: '@currents/mcp@2.1.1', env: { CURRENTS_API_KEY: 'not-a-key' } },
  { package: '@knip/mcp@0.0.36' },
  { package: 'tavily-mcp@0.2.22', env: { TAVILY_API_KEY: 'not-a-key' } },
  { package: 'firecrawl-mcp@3.26.0', env: { FIRECRAWL_API_KEY: 'not-a-key' } },
  { package: 'exa-mcp-server@3.4.1', env: { EXA_API_KEY: 'not-a-key' } },
  { package: '@wonderwhy-er/desktop-commander@0.2.52' },
  { package: '@antv/mcp-server-chart@0.9.10' },
  { package: 'mcp-mermaid@0.4.1' },
  { package: 'mcp-echarts@0.7.1' },
  {
    package: 'figma-developer-mcp@0.13.2',
    args: ['--stdio'],
    env: { FIGMA_API_KEY: 'not-a-key' },
  },
  { package: 'mcp-fetch-server@1.1.2' },
  { package: 'mcp-server-code-runner@0.1.8' },
  { package: 'time-mcp@1.0.6', calls: [{ tool: 'days_in_month', args: { date: '2024-02-01' } }] },
  { package: 'mcp-obsidian@1.0.0', args: ['{work}'] },
  { package: 'airtable-mcp-server@1.14.0', env: { AIRTABLE_API_KEY: 'not-a-key' } },
  { package: '@brave/brave-search-mcp-server@2.1.4', env: { BRAVE_API_KEY: 'not-a-key' } },
  { package: 'duckduckgo-mcp-server@0.1.2' },
  { package: '@cyanheads/git-mcp-server@2.15.3' },
  { package: '@bytebase/dbhub@1.4.0', args: ['--transport', 'stdio', '--demo'] },
  { package: 'mongodb-mcp-server@3.0.4', args: ['--telemetry', 'disabled'] },
  { package: '@zereight/mcp-gitlab@2.1.64', env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'not-a-token' } },
  { package: '@mobilenext/mobile-mcp@1.0.4' },
  { package: 'mcp-server-kubernetes@4.1.7' },
];
