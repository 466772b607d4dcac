/** An MCP server over Streamable HTTP, of the SDK's own parts, that wants a token with the scopes of each tool. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Handler } from './wire.js';

/** What an authorization server knows of a token that it gave. */
export interface TokenInfo {
  readonly scopes: readonly string[];
  /** Whom the token is for. Default: nobody said. */
  readonly audience?: string | undefined;
}

export interface ResourceOptions {
  /** Of the MCP endpoint. */
  readonly url: string;
  /** In the order in which the metadata name them. */
  readonly issuers: readonly string[];
  /** `undefined` when the token is not good; a nonce when its proof lacks that one. */
  readonly verify: (
    token: string,
    request: IncomingMessage,
  ) => Promise<TokenInfo | { readonly wantedNonce: string } | undefined>;
  /** Default: `read` for each, `write` for `change`, `admin` for `govern`. */
  readonly scopesOf?: ((tool: string) => readonly string[]) | undefined;
  /** Needed to connect. Default `read`. */
  readonly connectScopes?: readonly string[] | undefined;
  /** Where the metadata of the resource are. `header`: where only the challenge says. Default `path`. */
  readonly metadataAt?: 'path' | 'root' | 'header' | 'nowhere' | undefined;
  /** Something else answers there. */
  readonly hasForeignMetadata?: boolean;
  /** Whether the challenge names the place. Default: true, except for `nowhere`. */
  readonly namesMetadata?: boolean | undefined;
  /** Of the challenge of a token that is missing or not good. Default: none. */
  readonly challengeScope?: string | undefined;
  /** Default: {@link connectScopes}; empty to leave it out. */
  readonly scopesSupported?: readonly string[] | undefined;
  /** Beside the usual members. */
  readonly metadata?: object | undefined;
  /** Of `WWW-Authenticate`. Default `Bearer`. */
  readonly scheme?: string | undefined;
}

const tools = ['whoami', 'change', 'govern'] as const;
const metadataPaths = {
  path: (path: string) => `/.well-known/oauth-protected-resource${path}`,
  root: () => '/.well-known/oauth-protected-resource',
  header: () => '/about/this-resource.json',
  nowhere: () => undefined,
};

/** Tools: `whoami`, `change` and `govern`, each of which answers with its own name. */
export class Resource {
  /** Names of the tools that ran. */
  readonly calls: string[] = [];
  /** How often a token was not good, and how often it was too weak. */
  readonly refusals = { unauthorized: 0, insufficient: 0 };
  /** Adds to what refuses a request; the way to 401 without a reason, for instance. */
  challenge: (parameters: Record<string, string>) => Record<string, string> = (it) => it;
  private readonly path: string;
  private readonly metadataPath: string | undefined;

  constructor(readonly options: ResourceOptions) {
    this.path = new URL(options.url).pathname;
    this.metadataPath = metadataPaths[options.metadataAt ?? 'path'](this.path);
  }

  /** For everything that is not its own. */
  handler(next: Handler = notFound): Handler {
    return async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', this.options.url);
      if (pathname === this.metadataPath && !this.options.hasForeignMetadata) {
        return json(response, 200, this.metadata());
      }
      return pathname === this.path ? this.answer(request, response) : next(request, response);
    };
  }

  private metadata(): object {
    const { url, issuers, connectScopes = ['read'], metadata } = this.options;
    const scopes = this.options.scopesSupported ?? connectScopes;
    return {
      resource: url,
      authorization_servers: issuers,
      bearer_methods_supported: ['header'],
      ...(scopes.length > 0 ? { scopes_supported: scopes } : {}),
      ...metadata,
    };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { verify, url, connectScopes = ['read'], challengeScope } = this.options;
    const [, token = ''] =
      /^(?:Bearer|DPoP) (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const info = token ? await verify(token, request) : undefined;
    if (info && 'wantedNonce' in info) {
      response.setHeader('dpop-nonce', info.wantedNonce);
      return this.refuse(response, 401, { error: 'use_dpop_nonce' });
    }
    if (!info || (info.audience !== undefined && info.audience !== url)) {
      this.refusals.unauthorized++;
      return this.refuse(response, 401, {
        ...(token ? { error: 'invalid_token' } : {}),
        ...(challengeScope === undefined ? {} : { scope: challengeScope }),
      });
    }
    const message = request.method === 'POST' ? JSON.parse(await readAll(request)) : undefined;
    const called = message?.method === 'tools/call' ? String(message.params?.name) : undefined;
    const wanted = called === undefined ? connectScopes : this.scopesOf(called);
    if (!wanted.every((scope) => info.scopes.includes(scope))) {
      this.refusals.insufficient++;
      return this.refuse(response, 403, { error: 'insufficient_scope', scope: wanted.join(' ') });
    }
    await this.speak(request, response, message);
  }

  private scopesOf(tool: string): readonly string[] {
    const { scopesOf } = this.options;
    const own: Readonly<Record<string, string>> = { change: 'write', govern: 'admin' };
    return scopesOf ? scopesOf(tool) : [own[tool] ?? 'read'];
  }

  private refuse(
    response: ServerResponse,
    status: number,
    parameters: Readonly<Record<string, string>>,
  ): void {
    const { url, scheme = 'Bearer', metadataAt, namesMetadata } = this.options;
    const isNamed = namesMetadata ?? metadataAt !== 'nowhere';
    const place = new URL(this.metadataPath ?? '/', url).href;
    const all = this.challenge({ ...(isNamed ? { resource_metadata: place } : {}), ...parameters });
    const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    response.setHeader('www-authenticate', `${scheme} ${text.join(', ')}`.trim());
    json(response, status, { error: parameters.error ?? 'unauthorized' });
  }

  private async speak(
    request: IncomingMessage,
    response: ServerResponse,
    message: unknown,
  ): Promise<void> {
    const server = new McpServer({ name: 'account', version: '1.0.0' });
    for (const name of tools) {
      server.registerTool(name, { annotations: { readOnlyHint: name === 'whoami' } }, () => {
        this.calls.push(name);
        return { content: [{ type: 'text', text: name }] };
      });
    }
    // one for each request: nothing of a session is needed
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    response.once('close', () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, message);
  }
}

export async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
  }
  return text;
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  json(response, 404, {});
}
