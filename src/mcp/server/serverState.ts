/** What is to be said of a server's state while nothing of it runs. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { stableStringify } from '../../base/json.js';
import type { McpServerDefinition } from '../../config/definition.js';
import type { BlockedState, McpServerState } from '../mcpTypes.js';
import type { StartVerdict } from '../trust/canStart.js';

/** What keeps a definition from running: the user's switches first, then its validity, then trust. */
export function blockedState(
  definition: McpServerDefinition,
  isMasterDisabled: boolean,
  verdict: StartVerdict,
): BlockedState | undefined {
  if (isMasterDisabled) {
    return { kind: 'disabled', by: 'master' };
  }
  if (!definition.enabled) {
    return { kind: 'disabled', by: 'server' };
  }
  const { launch, folder, problems } = definition;
  if (!launch) {
    return { kind: 'invalid', problems };
  }
  if (folder && folder.fsPath === undefined && launch.kind === 'stdio') {
    const problem = {
      code: 'folder_virtual',
      severity: 'error',
      message: l10n.t('This folder is not on disk.'),
      remedy: l10n.t('Open a folder on disk.'),
    } as const;
    return { kind: 'invalid', problems: [...problems, problem] };
  }
  return verdict.allowed ? undefined : { kind: 'trust_required', reason: verdict.reason };
}

export function isSameState(a: McpServerState, b: McpServerState): boolean {
  return a === b || (a.kind === b.kind && stableStringify(a) === stableStringify(b));
}

/** Of whoever waited for it. */
export function stoppedError(): HumanError {
  return new HumanError('stopped', l10n.t('The server was stopped.'), {
    remedy: l10n.t('Use it again to start it.'),
  });
}
