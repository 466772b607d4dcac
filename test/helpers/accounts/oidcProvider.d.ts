/** What the tests use of oidc-provider, which brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface GivenToken {
    readonly scope?: string;
    readonly aud?: string | string[];
    readonly jkt?: string;
    readonly isValid: boolean;
  }
  interface Finder<T> {
    find(id: string): Promise<T | undefined>;
  }
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: Finder<GivenToken>;
    readonly ClientCredentials: Finder<GivenToken>;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    on(event: string, listener: (...args: unknown[]) => void): this;
  }
}
