import * as l10n from '@vscode/l10n';
import type { StopOutcome } from './stopTree.js';

const containerRunner = /(?:^|[/\\])(?:docker|podman|nerdctl)(?:\.exe)?$/i;

/** What the user should know about how a server was stopped, as a sentence or two; undefined when all went well. */
export function stopTrouble(
  outcome: StopOutcome,
  executable: string,
  args: readonly string[],
): string | undefined {
  switch (outcome) {
    case 'exited':
    case 'terminated':
      return undefined;
    case 'killed':
      // its client passes SIGTERM on to the container, but cannot pass on SIGKILL
      return containerRunner.test(executable) && args.includes('run')
        ? l10n.t(
            'The container client ignored SIGTERM and was killed. Its container may still run: add "--init" and "--rm" to "args", so that it ends when it is told.',
          )
        : l10n.t('The server ignored SIGTERM and was killed.');
    case 'alive':
      return l10n.t('A process of the server withstands being killed; it is tried again later.');
  }
}
