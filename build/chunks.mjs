/** The tables of chunks: what is loaded by itself, and along what large chunks are cut. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.mjs';

/** What is loaded with the extension, until the first rows are shown, and after that, in this order. */
export const stages = ['extension', 'composition', 'rest', 'processes', 'connections'];

/** Chunks by the names of their files. What any other `import()` loads gets a chunk too, whose name ends with a hash. */
export const chunks = {
  extension: 'src/extension.ts',
  composition: 'src/vscode/activation/composition.ts',
  rest: 'src/vscode/activation/rest.ts',
  processes: 'src/mcp/service/processes.ts',
  connections: 'src/mcp/service/connections.ts',
  server: 'src/mcp/server/mcpServer.ts',
  connection: 'src/mcp/connection/mcpConnection.ts',
  editing: 'src/config/edit/configurationEditor.ts',
  surfaces: 'src/vscode/registerSurfaces.ts',
  agent: 'src/vscode/createAgent.ts',
  gateway: 'src/gateway/gateway.ts',
  imports: 'src/config/parse/parseLocation.ts',
  lint: 'src/config/lint/lintFile.ts',
  rowsBelow: 'src/vscode/views/rowsBelow.ts',
  tooltips: 'src/vscode/views/tooltips.ts',
  cli: 'src/cli.ts',
  l10n: 'node_modules/@vscode/l10n/dist/main.js',
  sdkEngine: 'src/mcp/connection/sdkEngine/sdkEngine.ts',
  clientEngine: 'src/mcp/connection/clientEngine/clientEngine.ts',
  gatewayWire: 'src/gateway/wire/wire.ts',
  tokens: 'src/mcp/catalog/tokens/o200kTokens.ts',
  patterns: 'src/mcp/validation/patterns.ts',
};

/** The large modules of a package of the protocol, whose names end with a hash. */
function partsOfPackage(name) {
  const folder = `node_modules/@modelcontextprotocol/${name}/dist`;
  return readdirSync(join(root, folder)).flatMap((file) =>
    /^(?:mcp|public|src)-[\w-]+\.mjs$/.test(file) ? [`./${folder}/${file}`] : [],
  );
}

/** What large chunks are cut along: each of these, and what they share, can be loaded by itself. */
export const cuts = [
  'src/presentation/registry/registryInstaller.ts',
  'src/vscode/commands/configuration/addServerCommands.ts',
  'src/vscode/commands/configuration/exportCommands.ts',
  'src/vscode/commands/serverCommands.ts',
  'src/vscode/consent/consentPanel.ts',
  'src/vscode/doctor/doctorPanel.ts',
  'src/vscode/gateway/gatewayCommands.ts',
  'src/vscode/inspector/inspectorPanels.ts',
  'src/vscode/language/languageFeatures.ts',
  'src/vscode/registry/registryPanel.ts',
  'src/vscode/webviews/configPanel.ts',
  'src/vscode/webviews/runToolPanel.ts',
  'src/agent/changes/sessionChanges.ts',
  'src/agent/conversations/conversations.ts',
  'src/agent/live/agentSessions.ts',
  'src/agent/models/models.ts',
  'src/agent/panel/agentPanel.ts',
  'src/agent/pi/resourceLoader.ts',
  'src/agent/queue/messageQueue.ts',
  'src/agent/session/agentSession.ts',
  'src/vscode/changes/changeReview.ts',
  'src/vscode/createPanelParts.ts',
  'src/vscode/mentions/attaching.ts',
  'src/vscode/webviews/agentViewProvider.ts',
  'src/mcp/connection/clientEngine/auth/auth.ts',
  ...partsOfPackage('client'),
  ...partsOfPackage('server'),
];

export const cutName = (index) => `cut${index}`;
export const cutNames = new Set(cuts.map((_, index) => `${cutName(index)}.js`));
