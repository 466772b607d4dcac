import * as l10n from '@vscode/l10n';
import { linkSignals } from '../../base/async/cancellation.js';
import { possibleDelay } from '../../base/async/possibleDelay.js';
import type { Disposable } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { proxyRemedy, withProxy } from './http/networkErrors.js';

/** Ends an attempt to connect when its time is up. */
export class ConnectDeadline implements Disposable {
  private readonly late = new AbortController();
  // not `AbortSignal.any`: the SDKs keep listening to what they get, and Node would keep such a signal for ever
  private readonly linked: ReturnType<typeof linkSignals>;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param outer ends the attempt as well.
   * @param describe what to say when the time was up; default: of a process.
   */
  constructor(
    outer: AbortSignal | undefined,
    private readonly describe: (ms: number, forInstall: boolean) => HumanError = processTimeout,
  ) {
    this.linked = linkSignals(outer, this.late.signal);
  }

  get signal(): AbortSignal {
    return this.linked.signal;
  }

  /**
   * The attempt has so many milliseconds from now on, whatever it had before.
   * @param forInstall they are for the package that the server needs.
   */
  allow(ms: number, forInstall = false): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.late.abort(this.describe(ms, forInstall)),
      possibleDelay(ms),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.linked.dispose();
  }
}

function processTimeout(ms: number, forInstall: boolean): HumanError {
  return new HumanError(
    'initialize_timeout',
    l10n.t('The server did not finish starting within {0} s.', ms / 1000),
    {
      remedy: forInstall
        ? l10n.t('Run its command in a terminal to see why its package does not arrive.')
        : l10n.t(
            'Look at its log; if it only needs longer, for instance to download a package, raise "startupTimeoutMs".',
          ),
      facts: { seconds: ms / 1000, isInstall: forInstall },
    },
  );
}

/** A remote server that did not answer. @param proxy what its requests go through. */
export function remoteTimeout(ms: number, proxy: string | undefined): HumanError {
  const seconds = ms / 1000;
  return new HumanError(
    'initialize_timeout',
    withProxy(l10n.t('The server did not finish starting within {0} s.', seconds), proxy),
    {
      remedy:
        proxy === undefined
          ? l10n.t(
              'Check that it is running and that "url" is right; if it only needs longer, raise "startupTimeoutMs".',
            )
          : proxyRemedy(),
      facts: { seconds },
    },
  );
}
