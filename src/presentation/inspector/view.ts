import * as l10n from '@vscode/l10n';
import { isJsonObject, parseJsonObject } from '../../base/json.js';
import { serverLogLevels } from '../../mcp/logTypes.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import type { ImportedRecording } from '../../mcp/traffic/recordingFile.js';
import type { McpRecording } from '../../mcp/trafficTypes.js';
import type { InspectorView } from '../../protocol/inspector/inspectorProtocol.js';
import { connectionsOf } from './connections.js';

export function liveView(
  recording: McpRecording,
  state: McpServerState | undefined,
): InspectorView {
  const { handshakes } = recording;
  return {
    isGone: state === undefined,
    isConnected: state?.kind === 'connected',
    logLevels: takesLogLevel(handshakes.at(-1)?.response) ? serverLogLevels : undefined,
    connections: connectionsOf(handshakes),
  };
}

/** @param path where the file is */
export function importedView(
  { server, handshakes }: ImportedRecording,
  path: string,
): InspectorView {
  const name = server || l10n.t('Recording');
  return {
    recording: { name, text: l10n.t('A recording from {0}.', path), icon: 'file' },
    isConnected: false,
    connections: connectionsOf(handshakes),
  };
}

/** A recording that cannot be read again. @param reason a sentence */
export function lostView(reason: string): InspectorView {
  return {
    recording: { name: l10n.t('Recording'), text: reason, icon: 'circle-slash' },
    isGone: true,
    isConnected: false,
    connections: [],
  };
}

function takesLogLevel(response: string | undefined): boolean {
  const result = response === undefined ? undefined : parseJsonObject(response)?.result;
  const capabilities = isJsonObject(result) ? result.capabilities : undefined;
  return isJsonObject(capabilities) && capabilities.logging !== undefined;
}
