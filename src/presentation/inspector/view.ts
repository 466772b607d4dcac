import * as l10n from '@vscode/l10n';
import { isJsonObject, parseJsonObject } from '../../base/json.js';
import { serverLogLevels } from '../../mcp/logTypes.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { stateText } from '../../mcp/stateText.js';
import type { ImportedRecording } from '../../mcp/traffic/recordingFile.js';
import type { McpRecording } from '../../mcp/trafficTypes.js';
import type { InspectorView } from '../../protocol/inspector/inspectorProtocol.js';
import { connectionsOf } from './connections.js';

/** @param server `undefined`: it is configured no more */
export function liveView(
  name: string,
  recording: McpRecording,
  server: McpServer | undefined,
): InspectorView {
  const { handshakes } = recording;
  const state = server?.state.value;
  const isConnected = state?.kind === 'connected';
  const text = state && stateText(state);
  return {
    name,
    stateText: text?.sentence ?? l10n.t('The server is not configured any more.'),
    stateIcon: text?.icon ?? 'circle-slash',
    isImported: false,
    isConnected,
    ...(takesLogLevel(handshakes.at(-1)?.response) && { logLevels: serverLogLevels }),
    connections: connectionsOf(handshakes),
  };
}

/** @param path where the file is */
export function importedView(recording: ImportedRecording, path: string): InspectorView {
  return {
    name: recording.server || l10n.t('Recording'),
    stateText: l10n.t('A recording from {0}.', path),
    stateIcon: 'file',
    isImported: true,
    isConnected: false,
    connections: connectionsOf(recording.handshakes),
  };
}

function takesLogLevel(response: string | undefined): boolean {
  const result = response === undefined ? undefined : parseJsonObject(response)?.result;
  const capabilities = isJsonObject(result) ? result.capabilities : undefined;
  return isJsonObject(capabilities) && capabilities.logging !== undefined;
}
