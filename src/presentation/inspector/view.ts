import * as l10n from '@vscode/l10n';
import { asObject, parseJsonObject } from '../../base/json.js';
import type { FoundCalls } from '../../mcp/callLog/callFiles.js';
import { serverLogLevels } from '../../mcp/logTypes.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import type { ImportedRecording } from '../../mcp/traffic/recordingFile.js';
import type { McpRecording } from '../../mcp/trafficTypes.js';
import type { InspectorView } from '../../protocol/inspector/inspectorProtocol.js';
import { connectionsOf } from './connections.js';

export function liveView(
  recording: McpRecording,
  state: McpServerState | undefined,
  hasCallLog: boolean,
): InspectorView {
  const { handshakes } = recording;
  return {
    isGone: state === undefined,
    isConnected: state?.kind === 'connected',
    hasCallLog,
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
    recording: { name, text: l10n.t('{0}: {1}', l10n.t('Recording'), path), icon: 'file' },
    isConnected: false,
    connections: connectionsOf(handshakes),
  };
}

/** What the log has of the calls of a server. */
export function callLogView(name: string, { calls, isPart }: FoundCalls): InspectorView {
  const text = isPart
    ? l10n.t('The newest {0} calls of the log.', calls.length)
    : l10n.t('{0}: {1}', l10n.t('Calls'), calls.length);
  return {
    recording: { name, text, icon: 'history' },
    isCallLog: true,
    isConnected: false,
    connections: [],
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
  return asObject(asObject(result).capabilities).logging !== undefined;
}
