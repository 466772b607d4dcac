import { type Disposable, toDisposable } from '../../../base/disposable.js';
import {
  isSevereEnough,
  type LogAudience,
  leastSevere,
} from '../../connection/session/serverLog.js';
import type { ServerLogLevel, ServerLogMessage } from '../../logTypes.js';
import type { Cause } from '../../originTypes.js';

interface Watch {
  readonly level: ServerLogLevel;
  readonly onMessage: (message: ServerLogMessage, cause: Cause) => void;
}

/** Who listens to the log of one server, over all of its connections. */
export class LogWatches implements LogAudience {
  private readonly watches = new Set<Watch>();

  /** @param onDidChangeLevel `level` is another one now */
  constructor(private readonly onDidChangeLevel: () => void) {}

  get level(): ServerLogLevel | undefined {
    return leastSevere([...this.watches].map(({ level }) => level));
  }

  /** Calls back with every message from now on that is at least so severe, with secrets masked. Starts nothing. */
  watch(level: ServerLogLevel, onMessage: Watch['onMessage']): Disposable {
    const watch = { level, onMessage };
    this.watches.add(watch);
    this.onDidChangeLevel();
    return toDisposable(() => {
      if (this.watches.delete(watch)) {
        this.onDidChangeLevel();
      }
    });
  }

  tell(message: ServerLogMessage, cause: Cause = { kind: 'nobody' }): void {
    for (const { level, onMessage } of this.watches) {
      if (isSevereEnough(message.level, level)) {
        onMessage(message, cause);
      }
    }
  }
}
