import * as l10n from '@vscode/l10n';
import { isJsonObject, parseJsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import { serverLogLevels } from '../../mcp/logTypes.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { ImportedRecording } from '../../mcp/traffic/recordingFile.js';
import type { McpRecording } from '../../mcp/trafficTypes.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import type { InspectorView } from '../../protocol/inspector/inspectorProtocol.js';
import { connectionsOf } from './connections.js';

/** @param missing why there is no server */
export function liveView(
  { id, name }: { readonly id: McpServerId; readonly name: string },
  recording: McpRecording,
  server: McpServer | undefined,
  missing: string,
): InspectorView {
  const { handshakes } = recording;
  const state = server?.state.value;
  const isConnected = state?.kind === 'connected';
  const text = state && stateText(state);
  return {
    subject: { server: id, name },
    name,
    stateText: text?.sentence ?? missing,
    stateIcon: text?.icon ?? 'circle-slash',
    next: server ? undefined : 'inspectServer',
    isImported: false,
    isConnected,
    logLevels: takesLogLevel(handshakes.at(-1)?.response) ? serverLogLevels : undefined,
    connections: connectionsOf(handshakes),
  };
}

/** @param path where the file is */
export function importedView(recording: ImportedRecording, path: string): InspectorView {
  return {
    subject: { recording: path },
    name: recording.server || l10n.t('Recording'),
    stateText: l10n.t('A recording from {0}.', path),
    stateIcon: 'file',
    isImported: true,
    isConnected: false,
    connections: connectionsOf(recording.handshakes),
  };
}

/** A recording that cannot be read again. @param reason a sentence */
export function lostView(path: string, reason: string): InspectorView {
  return {
    subject: { recording: path },
    name: l10n.t('Recording'),
    stateText: reason,
    stateIcon: 'circle-slash',
    next: 'importRecording',
    isImported: true,
    isConnected: false,
    connections: [],
  };
}

function takesLogLevel(response: string | undefined): boolean {
  const result = response === undefined ? undefined : parseJsonObject(response)?.result;
  const capabilities = isJsonObject(result) ? result.capabilities : undefined;
  return isJsonObject(capabilities) && capabilities.logging !== undefined;
}
