import * as l10n from '@vscode/l10n';
import { raceWithSignal } from '../../base/async/cancellation.js';
import { HumanError } from '../../base/errors.js';
import { quotedName } from '../../base/text/nameToken.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import type {
  AuthorizationPrompt,
  AuthorizationRequest,
  AuthorizationVisit,
  DeviceCode,
} from './authorizationPrompt.js';
import { LoopbackCallback, readPastedRedirect } from './loopbackCallback.js';

/** A visit that nobody ends stops waiting after this many milliseconds. */
const visitTimeoutMs = 5 * 60_000;

export interface LoopbackPromptPorts {
  /** Asks before a page opens. Default: only the user's own sign-in may open one. */
  readonly confirm?: (request: AuthorizationRequest, signal: AbortSignal) => Promise<boolean>;
  /** Opens a browser. Rejects when there is none. */
  readonly openUrl: (url: URL, request: AuthorizationRequest) => Promise<void>;
  /** The address under which a browser elsewhere reaches the local one. Default: unchanged. */
  readonly externalUrl?: (localUrl: string) => Promise<string>;
  /**
   * Asks for the return address, for browsers that cannot reach this machine; runs beside the listener.
   * `undefined`: the user gave up; {@link onAnotherDevice}: goes on there. Default: nobody is asked.
   */
  readonly askForRedirect?: (
    request: AuthorizationRequest,
    signal: AbortSignal,
  ) => Promise<string | typeof onAnotherDevice | undefined>;
  /** Shows what to enter on another device until the signal aborts or the user gives up. */
  readonly showCode?: (
    code: DeviceCode,
    request: AuthorizationRequest,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Address that must be used, from the settings of the server. */
  readonly fixedRedirectUrl?: string | undefined;
  readonly clock?: Clock;
}

interface Page {
  readonly url: URL;
  readonly state: string;
  readonly request: AuthorizationRequest;
}

/** Where the user wants to sign in. */
export const onAnotherDevice = Symbol('another device');

/** Visits authorization servers in a browser that returns to a listener on 127.0.0.1. */
export class LoopbackPrompt implements AuthorizationPrompt {
  constructor(private readonly ports: LoopbackPromptPorts) {}

  async begin(
    request: AuthorizationRequest,
    signal: AbortSignal,
  ): Promise<AuthorizationVisit | undefined> {
    const { confirm, fixedRedirectUrl, externalUrl, showCode } = this.ports;
    const isWanted = confirm ? await confirm(request, signal) : request.kind === 'sign_in';
    signal.throwIfAborted();
    if (!isWanted) {
      return undefined;
    }
    const callback = await LoopbackCallback.listen(
      fixedRedirectUrl ?? request.preferredListenUrl,
      fixedRedirectUrl !== undefined,
    );
    try {
      const redirectUrl = (await externalUrl?.(callback.redirectUrl)) ?? callback.redirectUrl;
      signal.throwIfAborted();
      callback.allowHost(new URL(redirectUrl).host);
      let wantsDevice = false;
      return {
        redirectUrl,
        // what leads to this machine from elsewhere leads to one port
        redirectUrls: redirectUrl === callback.redirectUrl ? callback.redirectUrls : [redirectUrl],
        listenUrl: callback.redirectUrl,
        open: async (url, state, visitSignal) => {
          const answer = await this.visit(callback, { url, state, request }, visitSignal);
          wantsDevice = answer === onAnotherDevice;
          return answer === onAnotherDevice ? undefined : answer;
        },
        get wantsDevice() {
          return wantsDevice;
        },
        showCode: showCode && ((code, codeSignal) => showCode(code, request, codeSignal)),
        dispose: () => callback.dispose(),
      };
    } catch (error) {
      callback.dispose();
      throw error;
    }
  }

  private async visit(
    callback: LoopbackCallback,
    { url, state, request }: Page,
    signal: AbortSignal,
  ): Promise<URLSearchParams | typeof onAnotherDevice | undefined> {
    const over = new AbortController();
    const { clock = systemClock } = this.ports;
    const timer = clock.after(visitTimeoutMs, () => over.abort(nobodyReturned(request)));
    const waiting = AbortSignal.any([signal, over.signal]);
    const returned = callback.wait(state, waiting);
    // the wait is over before anybody looks when the page cannot be opened
    returned.catch(() => undefined);
    try {
      await raceWithSignal(this.ports.openUrl(url, request), waiting);
      const pasted = this.ports.askForRedirect?.(request, waiting);
      const answer = pasted?.then((text) =>
        typeof text === 'string' ? readPastedRedirect(text, state) : text,
      );
      return await (answer ? Promise.race([returned, answer]) : returned);
    } finally {
      timer.dispose();
      over.abort();
    }
  }
}

function nobodyReturned({ serverName }: AuthorizationRequest): HumanError {
  return new HumanError(
    'sign_in_timeout',
    l10n.t('The sign-in to {0} was not completed.', quotedName(serverName)),
    {
      remedy: l10n.t(
        'Sign in again. If the page shows an error instead of a sign-in, choose "Forget Client" first.',
      ),
    },
  );
}
