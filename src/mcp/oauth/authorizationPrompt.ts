/** The user's part of an authorization: leave to ask, a page in a browser, and the way back. */
import type { Disposable } from '../../base/disposable.js';

export interface AuthorizationRequest {
  readonly serverName: string;
  /**
   * `sign_in`: the user asked for it. `expired`: the server no longer takes the token. `step_up`: a request needs
   * more rights. The last two come from a running session, so ask before a page opens.
   */
  readonly kind: 'sign_in' | 'expired' | 'step_up';
  /** What will be asked for, as far as it is known. */
  readonly scopes: readonly string[];
  /** Local address of the last visit; one that returns elsewhere costs a new registration of the client. */
  readonly preferredListenUrl: string | undefined;
  /** The user may sign in on another device. */
  readonly offersDevice: boolean;
}

/** What the user enters on another device. */
export interface DeviceCode {
  readonly userCode: string;
  readonly address: URL;
  /** With the code in it. */
  readonly completeAddress?: URL;
}

/** One visit of the authorization server. Disposing it stops to listen. */
export interface AuthorizationVisit extends Disposable {
  /** Where the browser returns to; known before the page is opened, because clients register it. */
  readonly redirectUrl: string;
  /** All that a client should register to return to the next time as well. Default: that one. */
  readonly redirectUrls?: readonly string[];
  /** Where that leads to on this machine. Default: the same address. */
  readonly listenUrl?: string;
  /**
   * Opens the page and waits for the browser to return with the `state`, which a page that has its request by
   * reference does not show.
   * @returns the query of the return address; `undefined` when the user gave up.
   */
  open(
    authorizationUrl: URL,
    state: string,
    signal: AbortSignal,
  ): Promise<URLSearchParams | undefined>;
  /** The user wants to sign in on another device; may become true while a page is open. Default: false. */
  readonly wantsDevice?: boolean;
  /** Shows the code until the signal aborts. @returns when that is so, or the user gave up. */
  readonly showCode?: (code: DeviceCode, signal: AbortSignal) => Promise<void>;
}

export interface AuthorizationPrompt {
  /** `undefined`: the user does not want to, or cannot be asked now. */
  begin(
    request: AuthorizationRequest,
    signal: AbortSignal,
  ): Promise<AuthorizationVisit | undefined>;
}
