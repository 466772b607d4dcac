/** What the status bar item shows, as data. Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle. */
import * as l10n from '@vscode/l10n';
import { nameToken } from '../../base/text/nameToken.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { ChosenProfile } from '../../mcp/catalog/records/toolProfiles.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { awaitsReview, byUrgency } from '../../mcp/stateKinds.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import { profileText } from '../switching/profileText.js';

export interface StatusSummary {
  /** With codicon markup. */
  readonly text: string;
  readonly spoken: string;
  readonly background: 'none' | 'warning' | 'error';
  /** Of the text, where the background says nothing. */
  readonly color: 'none' | 'connected' | 'partial';
  /** Servers that wait for consent which the user can give now. */
  readonly toReview: number;
  readonly lines: readonly StatusLine[];
  /** Sentences about the profiles that narrow the tools. */
  readonly profiles: readonly string[];
}

export interface ProfileOfFolder {
  /** `undefined` in a window without folders. */
  readonly folder: string | undefined;
  readonly chosen: ChosenProfile;
}

/** One server in the tooltip. */
interface StatusLine {
  readonly icon: string;
  readonly server: string;
  readonly place: string;
  readonly state: string;
}

/** `undefined` without servers: then there is no item. */
export function summarize(
  servers: readonly McpServer[],
  profiles: readonly ProfileOfFolder[] = [],
): StatusSummary | undefined {
  if (servers.length === 0) {
    return undefined;
  }
  const states = servers.map((server) => server.state.value);
  const count = (kind: (typeof states)[number]['kind']) =>
    states.filter((state) => state.kind === kind).length;
  const enabled = servers.length - count('disabled');
  const connected = count('connected');
  const awaiting = count('trust_required');
  const failed = count('error') + count('invalid');
  const toSignIn = count('needs_auth');
  const isConnecting = count('connecting') > 0;
  // Restricted Mode has a status bar item of its own
  const toReview = servers.filter(awaitsReview).length;
  const haveAllFailed = enabled > 0 && failed === enabled;
  const isPartial = connected > 0 && failed + toSignIn + toReview > 0;
  const isOff = enabled === 0;
  return {
    text: `${isConnecting ? '$(sync~spin)' : '$(plug)'} MCP ${isOff ? l10n.t('off') : inShort({ connected, enabled, failed, toSignIn, toReview })}${profiles.length > 0 ? ` · ${profileNames(profiles)}` : ''}`,
    spoken: isOff
      ? l10n.t('MCP servers: all disabled')
      : [
          l10n.t('MCP servers: {0} of {1} connected', connected, enabled),
          ...(awaiting > 0 ? [l10n.t('{0} to review', awaiting)] : []),
          ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
          ...(toSignIn > 0 ? [l10n.t('{0} to sign in', toSignIn)] : []),
          ...(isConnecting ? [l10n.t('connecting')] : []),
          ...profiles.map(({ chosen }) => profileText(chosen)),
        ].join(', '),
    background: haveAllFailed ? 'error' : toReview > 0 ? 'warning' : 'none',
    color: isPartial ? 'partial' : !isOff && connected === enabled ? 'connected' : 'none',
    toReview,
    profiles: profiles.map(profileSentence),
    lines: byUrgency(servers).map(({ definition, state }) => {
      const { icon, reason } = stateText(state.value);
      const place = definition.folder?.name ?? l10n.t('User');
      return { icon, server: definition.name, place, state: reason };
    }),
  };
}

type Counts = Readonly<
  Record<'connected' | 'enabled' | 'failed' | 'toSignIn' | 'toReview', number>
>;

function profileNames(profiles: readonly ProfileOfFolder[]): string {
  const names = new Set(
    profiles.map(({ chosen }) => (chosen.profile ? showHidden(chosen.name) : profileText(chosen))),
  );
  return [...names].join(', ');
}

function profileSentence({ folder, chosen }: ProfileOfFolder): string {
  const place = folder === undefined ? '' : `${folder}: `;
  return (
    place +
    (chosen.profile
      ? profileText(chosen)
      : l10n.t(
          'Choose another profile. This one is missing, so no tool is given: {0}',
          nameToken(chosen.name),
        ))
  );
}

/** What failed apart from what needs the user. */
function inShort({ connected, enabled, failed, toSignIn, toReview }: Counts): string {
  return [
    `${connected}/${enabled}`,
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(toSignIn > 0 ? [l10n.t('{0} to sign in', toSignIn)] : []),
    ...(toReview > 0 ? [l10n.t('{0} to review', toReview)] : []),
  ].join(', ');
}
