/** The handshakes of a server, as the page shows them. */
import * as l10n from '@vscode/l10n';
import { asObject, parseJsonObject } from '../../base/json.js';
import type { HandshakeRecord } from '../../mcp/trafficTypes.js';
import type {
  InspectorConnection,
  InspectorFact,
} from '../../protocol/inspector/inspectorProtocol.js';
import { prettyJson } from './details.js';
import { differencesOf } from './differences.js';

const maxInstructions = 20_000;

/** Newest first. */
export function connectionsOf(
  handshakes: readonly HandshakeRecord[],
): readonly InspectorConnection[] {
  return handshakes.map((one, index) => connectionOf(one, handshakes[index - 1])).reverse();
}

function connectionOf(
  handshake: HandshakeRecord,
  before: HandshakeRecord | undefined,
): InspectorConnection {
  const { gen, request, response } = handshake;
  const answer = response === undefined ? undefined : parseJsonObject(response)?.result;
  const result = asObject(answer);
  const { instructions } = result;
  return {
    gen,
    facts: factsOf(handshake, result),
    client: request === undefined ? undefined : prettyJson(request),
    server: response === undefined ? undefined : prettyJson(response),
    instructions:
      typeof instructions === 'string' ? instructions.slice(0, maxInstructions) : undefined,
    differences: before && response !== undefined ? differencesOf(before, handshake) : undefined,
  };
}

function factsOf(
  { startedAt, connectedAt, firstByteAt, transport, request, lists }: HandshakeRecord,
  result: Readonly<Record<string, unknown>>,
): readonly InspectorFact[] {
  const info = asObject(result.serverInfo);
  const method = request === undefined ? undefined : parseJsonObject(request)?.method;
  const versions = result.protocolVersion ?? result.supportedVersions;
  const took = (at: number | undefined) =>
    at === undefined ? undefined : l10n.t('{0} ms', Math.round(at - startedAt));
  const facts: readonly (readonly [string, unknown])[] = [
    [l10n.t('Server'), [info.title ?? info.name, info.version].filter(isText).join(' ')],
    [l10n.t('protocol'), Array.isArray(versions) ? versions.join(', ') : versions],
    [l10n.t('Handshake'), method],
    [l10n.t('Transport'), transport],
    [l10n.t('First byte after'), took(firstByteAt)],
    [l10n.t('connected in'), took(connectedAt)],
    ...Object.entries(lists).map(([list, names]) => [list, String(names.length)] as const),
  ];
  return facts.flatMap(([label, text]) => (isText(text) ? [{ label, text }] : []));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
