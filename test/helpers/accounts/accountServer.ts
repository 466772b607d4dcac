import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { RunningAuthServer } from '../../fixtures/servers/authServer.mjs';
import type { Resource } from './resource.js';
import type { Wire } from './wire.js';

/** A real authorization server on loopback with an MCP server that it protects. */
export interface AccountServer {
  /** Of the MCP endpoint. */
  readonly url: string;
  /** As its metadata have it. */
  readonly issuer: string;
  /** Where the authorization server listens; records and interferes. */
  readonly wire: Wire;
  /** Where the MCP server listens; the same as {@link wire} where one program is both. */
  readonly resourceWire: Wire;
  readonly resource: Resource;
  readonly paths: {
    readonly authorize: string;
    readonly token: string;
    readonly register: string;
    readonly revoke: string;
  };
  /** What a client registered, as far as it is known. */
  findClient(id: string): Promise<OAuthClientInformationFull | undefined>;
  /** Access tokens have run out; they can be refreshed. */
  expireAccessTokens(): void;
  /** As after a restart without a database. */
  forgetClients(): void;
  /** No token or code that was given is good any more. */
  revokeGrants(): void;
  close(): Promise<void>;
}

/** An authorization server of others, or ours. */
export type AuthorizationFixture = AccountServer | RunningAuthServer;

/** Each `grant_type` that was asked for, in the order of the answers, with its status. */
export function tokenRequests(server: AccountServer): readonly string[] {
  return server.wire
    .to(server.paths.token)
    .map(({ body, status }) => `${new URLSearchParams(body).get('grant_type')} ${status}`);
}

/** Names of values that nobody but their owner may see. */
const confidentialNames = [
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'registration_access_token',
  'code',
  'code_verifier',
  'client_assertion',
];

/** Every token, code and secret that went over the server's wires; of our server: its tokens. */
export function confidential(server: AuthorizationFixture): readonly string[] {
  if ('auth' in server) {
    return [...server.auth.accessTokens, ...server.auth.refreshTokens];
  }
  const texts = [server.wire, server.resourceWire].flatMap(({ exchanges }) =>
    exchanges.flatMap(({ url, body, answer }) => [
      ...[url.searchParams, new URLSearchParams(body)].flatMap((query) =>
        confidentialNames.flatMap((name) => query.getAll(name)),
      ),
      ...confidentialNames.map((name) => new RegExp(`"${name}":"([^"]+)"`).exec(answer)?.[1] ?? ''),
    ]),
  );
  return [...new Set(texts)].filter((text) => text.length > 8);
}
