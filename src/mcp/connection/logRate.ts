import * as l10n from '@vscode/l10n';
import type { LogLevel } from '../../platform/ports.js';

type Log = (level: LogLevel, message: string) => void;

/** Lines that pass at once before the rate applies. */
const burst = 2000;
const perSecond = 200;

/** Keeps what a server makes us write from filling the log: beyond a rate lines are skipped, which the log says. */
export function limitLogRate(log: Log, now: () => number = () => performance.now()): Log {
  let tokens = burst;
  let updatedAt = now();
  let skipped = 0;
  return (level, message) => {
    tokens = Math.min(burst, tokens + ((now() - updatedAt) * perSecond) / 1000);
    updatedAt = now();
    // not one line at a time, of which each would come with a line about the skipped ones
    if (tokens < (skipped > 0 ? perSecond : 1)) {
      if (skipped++ === 0) {
        log('warn', l10n.t('The server writes too much; lines are skipped.'));
      }
      return;
    }
    tokens--;
    if (skipped > 0) {
      log('warn', l10n.t('{0} lines were skipped.', skipped));
      skipped = 0;
    }
    log(level, message);
  };
}
