import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { errorCode, errorMessage, HumanError } from '../../base/errors.js';
import { escapeHtml } from '../../base/text/escapeHtml.js';

const loopback = '127.0.0.1';
const defaultPath = '/callback';
/**
 * Tried in turn and registered together, for authorization servers that match ports exactly. Unassigned, and below those
 * that systems give to whoever asks for any.
 */
const usualPorts = [29170, 29171, 29172, 29173, 29174, 29175, 29176, 29177, 29178, 29179];

/** Waits on 127.0.0.1 for a browser to return from an authorization server. */
export class LoopbackCallback implements Disposable {
  private readonly hosts = new Set<string>();
  private expected: { readonly state: string; settle(query: URLSearchParams): void } | undefined;

  private constructor(
    private readonly server: Server,
    readonly redirectUrl: string,
  ) {
    const { port } = new URL(redirectUrl);
    for (const name of [loopback, 'localhost', '[::1]']) {
      this.hosts.add(`${name}:${port}`);
    }
    server.on('request', (request, response) => this.answer(request, response));
  }

  /** Answers to another name as well: of a tunnel or proxy that leads here. */
  allowHost(host: string): void {
    this.hosts.add(host);
  }

  /** Where a browser may return to another time, {@link redirectUrl} first. */
  get redirectUrls(): readonly string[] {
    const { redirectUrl } = this;
    const usual = usualPorts.map((port) => `http://${loopback}:${port}${defaultPath}`);
    return usual.includes(redirectUrl)
      ? [redirectUrl, ...usual.filter((url) => url !== redirectUrl)]
      : [redirectUrl];
  }

  /**
   * @param preferredUrl loopback address to listen at; another port is taken when that one is not free.
   * @param isFixed reject instead of taking another port.
   */
  static async listen(preferredUrl?: string, isFixed = false): Promise<LoopbackCallback> {
    const preferred = loopbackUrl(preferredUrl, isFixed);
    const server = createServer();
    const others = isFixed ? [] : usualPorts;
    const ports = preferred ? [Number(preferred.port), ...others] : others;
    const mayBeAny = !isFixed || !preferred;
    await listenAtFirst(server, mayBeAny ? [...ports, 0] : ports).catch((error: unknown) => {
      throw cannotListen(preferred?.port, error);
    });
    const url = new URL(preferred ?? `http://${loopback}${defaultPath}`);
    url.port = String((server.address() as AddressInfo).port);
    return new LoopbackCallback(server, url.href);
  }

  /** Resolves with the query of the first return that carries `state`. Rejects with the signal's reason. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.expected = undefined;
        reject(signal.reason);
      };
      this.expected = {
        state,
        settle: (query) => {
          this.expected = undefined;
          signal.removeEventListener('abort', onAbort);
          resolve(query);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) {
        onAbort();
      }
    });
  }

  dispose(): void {
    this.server.close();
    this.server.closeIdleConnections();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const own = new URL(this.redirectUrl);
    const { url: path = '/' } = request;
    const url = URL.canParse(path, own) ? new URL(path, own) : undefined;
    // the name check keeps out pages that resolve their own name to this machine
    const host = request.headers.host ?? '';
    if (request.method !== 'GET' || !this.hosts.has(host) || url?.pathname !== own.pathname) {
      send(response, 404, l10n.t('HTTP {0}', 404));
      return;
    }
    if (!this.expected || !isSameText(url.searchParams.get('state') ?? '', this.expected.state)) {
      send(response, 400, l10n.t('This sign-in is not expected. Start it again in the editor.'));
      return;
    }
    const isRefused = !url.searchParams.has('code');
    send(
      response,
      200,
      isRefused
        ? l10n.t('The sign-in did not succeed. You can close this page.')
        : l10n.t('You are signed in. You can close this page.'),
    );
    this.expected.settle(url.searchParams);
  }
}

/**
 * The query of a return address that the user pasted.
 * @throws {HumanError} when it is not the return of this sign-in.
 */
export function readPastedRedirect(text: string, state: string): URLSearchParams {
  const query = URL.canParse(text.trim()) ? new URL(text.trim()).searchParams : undefined;
  if (!query || !isSameText(query.get('state') ?? '', state)) {
    throw new HumanError(
      'foreign_redirect',
      l10n.t('The pasted address does not belong to this sign-in.'),
      { remedy: l10n.t('Copy the whole address of the page that could not be opened.') },
    );
  }
  return query;
}

function loopbackUrl(text: string | undefined, isFixed: boolean): URL | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url?.protocol === 'http:' && [loopback, 'localhost'].includes(url.hostname);
  // a proxy on this machine has a path of its own, and its port is not ours to listen at
  return isLoopback && (isFixed || url.pathname === defaultPath) ? url : undefined;
}

/** Rejects with what is in the way at the last one. */
async function listenAtFirst(server: Server, ports: readonly number[]): Promise<void> {
  for (const [index, port] of ports.entries()) {
    try {
      return await listen(server, port);
    } catch (error) {
      // another program, or another window, has it
      if (index === ports.length - 1) {
        throw error;
      }
    }
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, loopback, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function cannotListen(port: string | undefined, error: unknown): HumanError {
  return new HumanError(
    'callback_port',
    l10n.t(
      'Nothing can listen at port {0}: {1}',
      port ?? '0',
      errorCode(error) ?? errorMessage(error),
    ),
    {
      remedy:
        port === undefined
          ? l10n.t('Try again.')
          : l10n.t(
              'Close that program, or name another port in "oauth", which the registration of the client must name as well.',
            ),
      cause: error,
      facts: { port },
    },
  );
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function send(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`<!doctype html><title>Pi MCP</title><p>${escapeHtml(sentence)}</p>`);
}
