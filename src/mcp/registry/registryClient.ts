/**
 * Reads an MCP registry (`/v0.1`, https://github.com/modelcontextprotocol/registry): always the latest versions, one
 * request at a time, no more of them than the public one bears, and each page once in an hour.
 */
import * as l10n from '@vscode/l10n';
import { Sequencer } from '../../base/async/sequencer.js';
import { HumanError } from '../../base/errors.js';
import { definedValues } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import { TokenBucket } from '../../base/tokenBucket.js';
import { isSafeAddress, parseAddress } from '../../config/launch/addressReach.js';
import type { Clock } from '../../platform/clock.js';
import { askJson, type JsonAnswer } from '../connection/http/askJson.js';
import { BodyTooLargeError } from '../connection/http/bodyLimit.js';
import type { Fetch } from '../connection/http/fetch.js';
import { type FoundServers, type RegistryServer, readPage, readServer } from './serverJson.js';

export const officialRegistry = 'https://registry.modelcontextprotocol.io';

export interface RegistryClientOptions {
  /** Address of the registry, with or without `/v0.1`. Default: the official one. */
  readonly baseUrl?: string | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

export interface RegistryQuery {
  /** Part of a name or description. Default: every server. */
  readonly search?: string | undefined;
  /** From {@link FoundServers.nextCursor}. Default: the first page. */
  readonly cursor?: string | undefined;
}

const pageSize = 30;
const pageLifeMs = 60 * 60 * 1000;
const maxPages = 200;
const maxBodyBytes = 8 * 1024 * 1024;
const timeoutMs = 20_000;
const maxSearchLength = 200;

export class RegistryClient {
  /** Such as `https://registry.example/v0.1`. */
  readonly address: string;
  private readonly pages = new Map</* path */ string, { page: FoundServers; readAt: number }>();
  private readonly requests = new Sequencer();
  // the public registry was seen to refuse more than one a second beyond a burst of five
  private readonly rate: TokenBucket;

  /** @throws {HumanError} for what is no address of a registry. */
  constructor(private readonly options: RegistryClientOptions) {
    const { clock } = options;
    this.address = registryAddress(options.baseUrl ?? officialRegistry);
    this.rate = new TokenBucket({ burst: 4, perSecond: 1, now: () => clock.elapsed() });
  }

  get isOfficial(): boolean {
    return new URL(this.address).host === new URL(officialRegistry).host;
  }

  /**
   * One page of the latest versions; what was deleted is not in it.
   * @throws {HumanError} that says why there is none; the signal's reason when aborted.
   */
  async list(query: RegistryQuery, signal?: AbortSignal): Promise<FoundServers> {
    const search = query.search?.trim().slice(0, maxSearchLength) ?? '';
    const params = new URLSearchParams(
      definedValues({
        version: 'latest',
        limit: String(pageSize),
        search: search || undefined,
        cursor: query.cursor,
      }),
    );
    const path = `/servers?${params}`;
    return this.known(path) ?? (await this.requests.queue(() => this.read(path, signal)));
  }

  /** @throws {HumanError} also for a server that the registry does not have. */
  async latest(name: string): Promise<RegistryServer> {
    const path = `/servers/${encodeURIComponent(name)}/versions/latest`;
    const { status, body } = await this.requests.queue(() => this.ask(path));
    const server = status === 200 ? readServer(body) : undefined;
    if (!server || server.name !== name) {
      throw new HumanError(
        'registry_server_unknown',
        l10n.t('The registry has no such server: {0}', nameToken(name)),
        { remedy: l10n.t('Search for it: it may have been renamed or deleted.') },
      );
    }
    return server;
  }

  private known(path: string): FoundServers | undefined {
    const found = this.pages.get(path);
    const isFresh = found && this.options.clock.elapsed() - found.readAt < pageLifeMs;
    return isFresh ? found.page : undefined;
  }

  private async read(path: string, signal: AbortSignal | undefined): Promise<FoundServers> {
    // somebody before in the queue may have asked the same
    const known = this.known(path);
    if (known) {
      return known;
    }
    const { status, body } = await this.ask(path, signal);
    const page = status === 200 ? readPage(body) : undefined;
    if (!page) {
      throw new HumanError(
        'registry_answer',
        l10n.t('{0} answers, but not as an MCP registry does (HTTP {1}).', this.address, status),
        { remedy: l10n.t('Check the setting "{0}".', 'piMcp.registry.url') },
      );
    }
    const [oldest] = this.pages.keys();
    if (this.pages.size >= maxPages && oldest !== undefined) {
      this.pages.delete(oldest);
    }
    const servers = page.servers.filter((server) => server.status !== 'deleted');
    const kept = { ...page, servers };
    this.pages.set(path, { page: kept, readAt: this.options.clock.elapsed() });
    return kept;
  }

  private async ask(path: string, signal?: AbortSignal): Promise<JsonAnswer> {
    const { clock, fetch } = this.options;
    signal?.throwIfAborted();
    while (!this.rate.take()) {
      await new Promise<void>((resolve) => clock.after(250, resolve));
      signal?.throwIfAborted();
    }
    let answer: JsonAnswer;
    try {
      answer = await askJson(`${this.address}${path}`, {
        fetch,
        signal,
        timeoutMs,
        maxBytes: maxBodyBytes,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw this.unreachable(error);
    }
    if (answer.status === 429 || answer.status >= 500) {
      throw this.busy(answer);
    }
    return answer;
  }

  private unreachable(error: unknown): HumanError {
    const isLarge = error instanceof BodyTooLargeError;
    return new HumanError(
      'registry_unreachable',
      isLarge ? error.message : l10n.t('The registry {0} cannot be reached.', this.address),
      {
        remedy: isLarge
          ? l10n.t('Check the setting "{0}".', 'piMcp.registry.url')
          : l10n.t('Check the network and the proxy settings, then try again.'),
        cause: error,
      },
    );
  }

  private busy({ status, retryAfterMs }: JsonAnswer): HumanError {
    return new HumanError(
      'registry_busy',
      l10n.t('The registry does not answer for now (HTTP {0}).', status),
      {
        remedy: l10n.t('Wait a moment and try again.'),
        retryAfterMs,
      },
    );
  }
}

function registryAddress(text: string): string {
  const url = parseAddress(text.trim());
  if (!url || !isSafeAddress(url) || url.search !== '') {
    throw new HumanError(
      'registry_address',
      l10n.t('"{0}" is not the address of an MCP registry.', text),
      {
        remedy: l10n.t('Set "{0}" to one such as {1}.', 'piMcp.registry.url', officialRegistry),
      },
    );
  }
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  return /\/v\d[\d.]*$/.test(base) ? base : `${base}/v0.1`;
}
