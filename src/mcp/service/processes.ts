import * as l10n from '@vscode/l10n';
import { delay } from '../../base/async/cancellation.js';
import { errorMessage } from '../../base/errors.js';
import type { Machine } from '../../config/ports.js';
import { ProcessLedger, type ProcessLedgerOptions } from '../../platform/process/ledger.js';
import { createProcessSystem, type ProcessSystem } from '../../platform/process/system.js';
import { createProcessTree, type ProcessTree } from '../../platform/process/tree.js';
import { sweepSockets } from '../../platform/socketFolder.js';
import type { McpLeftovers } from '../mcpApi.js';

export interface ProcessesOptions extends Pick<Machine, 'workspace' | 'loggers'> {
  /** See {@link CorePlaces.processes}. */
  readonly directory: string | undefined;
  /** Default: this machine. */
  readonly system?: ProcessSystem | undefined;
}

/** The processes that were started, also by windows that are gone. */
export interface Processes {
  /** One for all, since its looks at the processes serve every server that stops. */
  readonly tree: ProcessTree;
  readonly ledger: ProcessLedger | undefined;
  readonly leftovers: McpLeftovers;
  /** Ends what dead windows left behind, once. Never rejects. */
  sweep(): Promise<unknown>;
  /** Resolves when everything is written, or after so many milliseconds. */
  finish(limitMs: number): Promise<void>;
}

export function createProcesses(options: ProcessesOptions): Processes {
  const { directory, system = createProcessSystem() } = options;
  const tree = createProcessTree(system);
  const ledger =
    directory === undefined ? undefined : createLedger({ directory, tree, system }, options);
  let sockets: Promise<void> | undefined;
  let sweeping: Promise<unknown> | undefined;
  const sweep = () => {
    sockets ??= ledger && sweepSockets();
    sweeping ??= ledger?.sweep() ?? Promise.resolve();
    return sweeping;
  };
  return {
    tree,
    ledger,
    leftovers: {
      list: async () => {
        // what it ends is left behind no more
        await sweep();
        return ledger?.leftovers();
      },
      end: async (keys) => (await ledger?.end(keys)) ?? keys.map(() => 'gone'),
    },
    sweep,
    finish: async (limitMs) => {
      const over = new AbortController();
      const isDone = await Promise.race([
        Promise.all([sweeping, sockets, ledger?.flush()]).then(() => true),
        delay(limitMs, over.signal).then(() => false),
      ]);
      over.abort();
      if (!isDone) {
        const message = l10n.t(
          'The system did not say in time who runs. What may be left is ended at the next start.',
        );
        options.loggers.main.log('warn', message);
      }
    },
  };
}

function createLedger(
  machine: Pick<ProcessLedgerOptions, 'directory' | 'tree' | 'system'>,
  { workspace, loggers }: ProcessesOptions,
): ProcessLedger {
  return new ProcessLedger({
    ...machine,
    folders: () => workspace.folders.map(({ fsPath, uri }) => fsPath ?? uri),
    onError: (error) =>
      loggers.main.log('warn', `The process ledger failed: ${errorMessage(error)}`),
  });
}
