import * as l10n from '@vscode/l10n';
import { TokenBucket } from '../../base/tokenBucket.js';
import type { Log } from './processOpening.js';

/** Lines that pass at once before the rate applies. */
const burst = 2000;
const perSecond = 200;

/** Keeps what a server makes us write from filling the log: beyond a rate lines are skipped, which the log says. */
export function limitLogRate(log: Log, now?: () => number): Log {
  const bucket = new TokenBucket({ burst, perSecond, now });
  let skipped = 0;
  return (level, message) => {
    // not one line at a time, of which each would come with a line about the skipped ones
    if (!bucket.take(skipped > 0 ? perSecond : 1)) {
      if (skipped++ === 0) {
        log('warn', l10n.t('The server writes too much; lines are skipped.'));
      }
      return;
    }
    if (skipped > 0) {
      log('warn', l10n.t('{0} lines were skipped.', skipped));
      skipped = 0;
    }
    log(level, message);
  };
}
