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
  interface NewToken {
    save(): Promise<string>;
  }
  interface GrantContext {
    readonly oidc: { readonly client: object; readonly params: Record<string, string> };
    body: object;
  }
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: Finder<GivenToken>;
    readonly ClientCredentials: Finder<GivenToken> & {
      new (values: object): NewToken & { resourceServer?: object };
    };
    readonly ResourceServer: new (
      identifier: string,
      values: object,
    ) => object;
    registerGrantType(
      name: string,
      handler: (context: GrantContext) => Promise<void>,
      parameters: readonly string[],
    ): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    on(event: string, listener: (...args: unknown[]) => void): this;
  }
}
