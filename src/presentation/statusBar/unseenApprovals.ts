/** What waits for the user out of sight, as data. Runs in plain Node, hence `@vscode/l10n`. */
import * as l10n from '@vscode/l10n';
import type { AgentViewState } from '../../protocol/agentProtocol.js';

export interface UnseenApprovals {
  readonly count: number;
  readonly text: string;
}

/** `undefined` when the user sees everything that waits. */
export function unseenApprovals(
  { approvals, folder, folders }: AgentViewState,
  isViewVisible: boolean,
): UnseenApprovals | undefined {
  const elsewhere = folders.filter(({ uri, waiting }) => uri !== folder?.uri && waiting > 0);
  const here = isViewVisible ? 0 : approvals.length;
  const count = elsewhere.reduce((sum, { waiting }) => sum + waiting, here);
  if (count === 0) {
    return undefined;
  }
  const names = [
    ...(here > 0 && folder ? [folder.name] : []),
    ...elsewhere.map(({ name }) => name),
  ];
  const sentence =
    count === 1
      ? l10n.t('A tool call of Pi waits for your approval')
      : l10n.t('{0} tool calls of Pi wait for your approval', count);
  return {
    count,
    text: folders.length > 1 ? `${sentence}: ${names.join(', ')}` : sentence,
  };
}

/** The folder to show first; `undefined` when it is already shown. */
export function folderToReview({ approvals, folders }: AgentViewState): string | undefined {
  return approvals.length > 0 ? undefined : folders.find(({ waiting }) => waiting > 0)?.uri;
}
