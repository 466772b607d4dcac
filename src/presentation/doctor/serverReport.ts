/** One server in the report: its state, what was tried, and what to do. */
import * as l10n from '@vscode/l10n';
import type { ErrorCode } from '../../base/errorCodes.js';
import { withRemedy } from '../../base/errors.js';
import type { ConfigProblem } from '../../config/definition.js';
import { rootsLabel, rootsText } from '../../config/roots/rootFolders.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import { launchKind } from '../../mcp/stateKinds.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import { type Trouble, troubleOf } from '../../mcp/trouble/trouble.js';
import { launchLines } from '../../mcp/trust/launchLines.js';
import type { DoctorFact, DoctorServer } from '../../protocol/doctor/doctorProtocol.js';
import { offersText } from '../tree/presentation.js';
import { failureOf } from '../tree/serverPresentation.js';

/** Why a server does not work, in the words of the surface. */
export interface ServerProblem extends Trouble {
  readonly code: ErrorCode;
}

export interface ServerWords {
  /** As the surface names it. */
  readonly nameOf: (server: McpServer) => string;
  /** `undefined`: it is as its user wants it. */
  readonly problemOf: (state: McpServerState) => ServerProblem | undefined;
  /** What is known about its entry. */
  readonly adviceOf: (server: McpServer) => readonly ConfigProblem[];
}

/** In an editor, where servers may wait until they are needed. */
export function editorProblem(state: McpServerState): ServerProblem | undefined {
  const trouble = state.kind === 'disabled' ? undefined : troubleOf(state);
  return trouble && { code: codeOf(state), ...trouble };
}

function codeOf(state: McpServerState): ErrorCode {
  const failure = failureOf(state);
  return failure ? failure.code : (state.kind as ErrorCode);
}

export function serverReport(server: McpServer, words: ServerWords): DoctorServer {
  const state = server.state.value;
  const { sentence, reason, icon } = stateText(state);
  const problem = words.problemOf(state);
  const message = problem?.sentence ?? sentence;
  const next = [problem?.fix.how, problem?.nextTry].filter((text) => text !== undefined).join(' ');
  return {
    id: server.id,
    name: words.nameOf(server),
    icon,
    reason: problem?.reason ?? reason,
    sentence: message,
    needsUser: problem !== undefined && state.kind !== 'idle',
    code: problem?.code,
    next: next || undefined,
    facts: [...entryFacts(server), ...liveFacts(server)],
    notes: notesOf(server, words, message),
    evidence: problem?.evidence ?? [],
  };
}

function entryFacts({ definition, state }: McpServer): readonly DoctorFact[] {
  const { scope, launch, origin } = definition;
  const roots = { label: rootsLabel(), text: rootsText(definition) };
  return [
    {
      label: l10n.t('Entry'),
      text: l10n.t(
        'scope {0}, kind {1}, state {2}',
        scope,
        launchKind(definition),
        state.value.kind,
      ),
    },
    { label: l10n.t('saved in'), text: origin.path },
    ...(launch ? [...launchLines(launch).map(({ label, text }) => ({ label, text })), roots] : []),
  ];
}

function liveFacts(server: McpServer): readonly DoctorFact[] {
  const { catalog, state } = server;
  const { serverInfo, protocolVersion } = catalog.value;
  const offers = offersText(server);
  const ms = state.value.kind === 'connected' ? Math.round(state.value.connectMs) : undefined;
  return [
    ...(serverInfo
      ? [{ label: l10n.t('Name'), text: `${serverInfo.name} ${serverInfo.version}` }]
      : []),
    ...(protocolVersion ? [{ label: l10n.t('protocol'), text: protocolVersion }] : []),
    ...(offers === undefined ? [] : [{ label: l10n.t('offers'), text: offers }]),
    ...(ms === undefined ? [] : [{ label: l10n.t('connected in'), text: l10n.t('{0} ms', ms) }]),
  ];
}

/** @param said what the state says already */
function notesOf(server: McpServer, { adviceOf }: ServerWords, said: string): readonly string[] {
  const advice = adviceOf(server)
    .filter(({ message }) => message !== said)
    .map(({ message, remedy }) => withRemedy(message, remedy));
  return [...advice, ...server.catalog.value.notices];
}
