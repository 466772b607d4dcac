import type { JsonObject } from '../../base/json.js';
import type { OAuthSettings } from '../mcpTypes.js';
import type { AuthorizationPrompt } from './authorizationPrompt.js';
import type { CredentialStore } from './credentialStore.js';

/** What a server said when it refused a request. */
export interface AuthorizationChallenge {
  readonly resourceMetadataUrl?: string;
  readonly scope?: string;
}

export interface ServerAuthorizationOptions {
  readonly serverName: string;
  readonly serverUrl: string;
  /** Variables resolved. */
  readonly settings: OAuthSettings;
  readonly credentials: CredentialStore;
  /** Default: nobody can be asked. */
  readonly prompt?: AuthorizationPrompt | undefined;
  /** Of this product, for registrations. */
  readonly clientName: string;
}

/** The authorization of one server: lives longer than its connections, so that they share it. */
export class ServerAuthorization {
  readonly serverName: string;
  readonly serverUrl: string;
  readonly settings: OAuthSettings;
  readonly credentials: CredentialStore;
  readonly prompt: AuthorizationPrompt | undefined;
  readonly clientName: string;
  /** The last one that was not met. */
  challenge: AuthorizationChallenge | undefined;
  private readonly stepUps = new Set</* scope */ string>();
  private flight: Promise<boolean> | undefined;
  private visits = 0;

  constructor(options: ServerAuthorizationOptions) {
    this.serverName = options.serverName;
    this.serverUrl = options.serverUrl;
    this.settings = options.settings;
    this.credentials = options.credentials;
    this.prompt = options.prompt;
    this.clientName = options.clientName;
  }

  /** The user is in a browser on our behalf. */
  get isWaitingForUser(): boolean {
    return this.visits > 0;
  }

  /**
   * One authorization at a time, however many requests need it: they all wait for the one under way.
   * @param isDone says of the present tokens that nothing is to be done any more.
   * @returns whether there are tokens to try. Rejects when `authorize` does.
   */
  async authorizeOnce(
    isDone: (tokens: JsonObject | undefined) => boolean,
    authorize: () => Promise<boolean>,
  ): Promise<boolean> {
    while (this.flight) {
      if (!(await this.flight)) {
        return false;
      }
    }
    const flight = (async () => isDone(await this.credentials.tokens(true)) || authorize())();
    this.flight = flight;
    try {
      return await flight;
    } finally {
      this.flight = undefined;
    }
  }

  async whileVisiting<T>(visit: () => Promise<T>): Promise<T> {
    this.visits++;
    try {
      return await visit();
    } finally {
      this.visits--;
    }
  }

  /** @returns false when these rights were asked for before, to no avail. */
  beginStepUp(scope: string): boolean {
    const isNew = !this.stepUps.has(scope);
    this.stepUps.add(scope);
    return isNew;
  }

  /** A new sign-in may ask for everything again. */
  forgetStepUps(): void {
    this.stepUps.clear();
  }
}
