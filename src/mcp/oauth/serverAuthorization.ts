import { raceWithSignal } from '../../base/async/cancellation.js';
import type { JsonObject } from '../../base/json.js';
import type { OAuthSettings, ResolvedHttpLaunch } from '../../config/definition.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import type { AuthorizationPrompt } from './authorizationPrompt.js';
import type { CredentialStore } from './credentialStore.js';
import { RefreshLock } from './refreshLock.js';
import { Renewals } from './renewals.js';
import { StepUps } from './stepUps.js';

/** What is known about the account with which a request was made. */
export interface UsedAccount {
  /** Rights that the server said are wanted; `undefined` when it said nothing. */
  readonly wantedScope: string | undefined;
}

/** What a server said when it refused a request. */
export interface AuthorizationChallenge {
  readonly resourceMetadataUrl?: string;
  readonly scope?: string;
}

export interface ServerAuthorizationOptions {
  readonly serverName: string;
  readonly launch: Pick<ResolvedHttpLaunch, 'url' | 'oauth'>;
  readonly credentials: CredentialStore;
  /** Default: nobody can be asked. */
  readonly prompt?: AuthorizationPrompt | undefined;
  /** Default: one for this object. */
  readonly refreshLock?: RefreshLock;
  readonly clock?: Clock | undefined;
  /** Whether the user has several accounts at the server. Default: one. */
  readonly isOneOfSeveral?: () => boolean;
}

/** The user began another sign-in. */
class ReplacedError extends Error {
  override readonly name = 'ReplacedError';
}

/** An authorization under way; it ends when the last of those who wait for it has left. */
class Flight {
  private readonly nobodyWaits = new AbortController();
  private readonly outcome: Promise<boolean>;
  private waiting = 0;

  constructor(
    authorize: (signal: AbortSignal) => Promise<boolean>,
    private readonly onEnd: () => void,
    /** The user began it. */
    readonly isUsers: boolean,
  ) {
    const { signal } = this.nobodyWaits;
    this.outcome = raceWithSignal(authorize(signal), signal).finally(onEnd);
    // reported to those who wait, if any are left
    this.outcome.catch(() => undefined);
  }

  /** Ends it for the sake of another one. */
  replace(): void {
    this.nobodyWaits.abort(new ReplacedError());
    this.onEnd();
  }

  async join(signal: AbortSignal | undefined): Promise<boolean> {
    this.waiting++;
    try {
      return await raceWithSignal(this.outcome, signal);
    } finally {
      this.waiting--;
      if (this.waiting === 0 && signal?.aborted) {
        this.nobodyWaits.abort(signal.reason);
        this.onEnd();
      }
    }
  }
}

/** The authorization of one server: lives longer than its connections, so that they share it. */
export class ServerAuthorization {
  readonly serverName: string;
  readonly serverUrl: string;
  readonly settings: OAuthSettings;
  readonly credentials: CredentialStore;
  readonly prompt: AuthorizationPrompt | undefined;
  /** Of this product, as users see it when they grant access. */
  readonly clientName = 'Pi MCP';
  readonly refreshLock: RefreshLock;
  readonly renewals: Renewals;
  /** The last one that is still unanswered. */
  challenge: AuthorizationChallenge | undefined;
  /** It was asked how to sign in, and says nothing. */
  hasNoSignIn = false;
  readonly stepUps = new StepUps();
  readonly isOneOfSeveral: () => boolean;
  private flight: Flight | undefined;
  private visits = 0;

  constructor(options: ServerAuthorizationOptions) {
    this.serverName = options.serverName;
    this.serverUrl = options.launch.url;
    this.settings = options.launch.oauth ?? {};
    this.credentials = options.credentials;
    this.prompt = options.prompt;
    this.refreshLock = options.refreshLock ?? new RefreshLock(undefined);
    this.isOneOfSeveral = options.isOneOfSeveral ?? (() => false);
    this.renewals = new Renewals(options.serverName, options.clock ?? systemClock);
  }

  /** Tokens are on their way. */
  get isAuthorizing(): boolean {
    return this.flight !== undefined;
  }

  /** `undefined` when nobody is signed in, as far as has been looked. */
  get usedAccount(): UsedAccount | undefined {
    const { grant = 'authorization_code' } = this.settings;
    return grant === 'authorization_code' && this.credentials.holdsTokens
      ? { wantedScope: this.challenge?.scope }
      : undefined;
  }

  /** The user is in a browser on our behalf. */
  get isWaitingForUser(): boolean {
    return this.visits > 0;
  }

  /**
   * One authorization at a time, however many requests need it: they all wait for the one under way, which goes on for
   * as long as one of them does.
   * @param isDone says of the present tokens that nothing is to be done any more.
   * @param authorize gets a signal that aborts when nobody waits any more.
   * @param isUsers whether the user began it: what requests did not get without the user is then no answer.
   * @returns whether there are tokens to try. Rejects when `authorize` does, or with the signal's reason.
   */
  async authorizeOnce(
    isDone: (tokens: JsonObject | undefined) => boolean,
    authorize: (signal: AbortSignal) => Promise<boolean>,
    signal?: AbortSignal,
    isUsers = false,
  ): Promise<boolean> {
    for (;;) {
      try {
        while (this.flight) {
          const { flight } = this;
          if (!(await flight.join(signal)) && (flight.isUsers || !isUsers)) {
            return false;
          }
        }
        return await this.begin(isDone, authorize, isUsers).join(signal);
      } catch (error) {
        if (!(error instanceof ReplacedError)) {
          throw error;
        }
      }
    }
  }

  /** The user wants to begin again, and does not come back from the page that was opened. */
  endVisit(): void {
    if (this.isWaitingForUser) {
      this.flight?.replace();
    }
  }

  private begin(
    isDone: (tokens: JsonObject | undefined) => boolean,
    authorize: (signal: AbortSignal) => Promise<boolean>,
    isUsers: boolean,
  ): Flight {
    const flight = new Flight(
      async (ownSignal) => isDone(await this.credentials.tokens(true)) || authorize(ownSignal),
      () => {
        this.flight = this.flight === flight ? undefined : this.flight;
      },
      isUsers,
    );
    this.flight = flight;
    return flight;
  }

  async whileVisiting<T>(visit: () => Promise<T>): Promise<T> {
    this.visits++;
    try {
      return await visit();
    } finally {
      this.visits--;
    }
  }
}
