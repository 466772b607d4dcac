/**
 * The host's side of MCP Apps (2026-01-26) for one app: answers what the app asks, and tells it of its call. Nothing
 * that the app sends is trusted.
 */
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { defined, isJsonObject, type JsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { TokenBucket } from '../../base/tokenBucket.js';
import type { AppDomains } from '../../mcp/apps/policy.js';
import type { LogLevel } from '../../platform/ports.js';
import type { AppSurroundings } from '../../protocol/appProtocol.js';
import {
  AppError,
  type AppMessage,
  isBoundedMessage,
  messageText,
  parseAppMessage,
  textParam,
} from './requests.js';
import type { AppCall } from './sessionApps.js';

const protocolVersion = '2026-01-26';
const maxPending = 20;
const maxSuggestion = 20_000;
/** Each suggestion takes the user to the panel. */
const suggestionPauseMs = 1000;
const maxAddress = 4000;
const maxLogLength = 1000;
const maxHeightPx = 8000;

export interface AppBridgeOptions {
  readonly call: AppCall;
  readonly hostVersion: string;
  /** Such as `en`. */
  readonly locale: string;
  /** What the app may reach. */
  readonly domains: AppDomains;
  readonly surroundings: AppSurroundings;
  readonly post: (message: JsonObject) => void;
  /** Asks the user, then opens; resolves to whether it did. */
  readonly openLink: (url: string, signal: AbortSignal) => Promise<boolean>;
  /** Puts a text before the user, who may send it. */
  readonly suggest: (text: string) => void;
  /** The app wants to be closed. */
  readonly close: () => void;
  /** A bound was hit; a full sentence. */
  readonly onNotice: (sentence: string) => void;
  /** The app does not stop sending. */
  readonly onFlood: () => void;
  readonly log: (level: LogLevel, message: string) => void;
  /** Milliseconds. Default: the system's. */
  readonly now?: () => number;
}

/** Refusals in a row after which the app is given up. */
const maxRefused = 1000;

export class AppBridge implements Disposable {
  private readonly rate: TokenBucket;
  /** Messages in a row that came too fast. */
  private refused = 0;
  private running = new AbortController();
  private pending = 0;
  private isInitialized = false;
  private frozen: string | undefined;
  private surroundings: AppSurroundings;
  private suggestedAt = Number.NEGATIVE_INFINITY;
  private readonly now: () => number;

  constructor(private readonly options: AppBridgeOptions) {
    this.surroundings = options.surroundings;
    this.now = options.now ?? (() => performance.now());
    this.rate = new TokenBucket({ burst: 100, perSecond: 20, now: this.now });
  }

  /** Feed every message of the app here. Never rejects. */
  async receive(value: unknown): Promise<void> {
    this.refused = this.rate.take() ? 0 : this.refused + 1;
    if (this.refused > maxRefused) {
      this.options.onFlood();
      return;
    }
    const isUsable = isBoundedMessage(value);
    if (!isUsable) {
      this.options.onNotice(l10n.t('The app sends too much; the rest is dropped.'));
      return;
    }
    const message = parseAppMessage(value);
    if (!message) {
      return;
    }
    if (this.refused > 0) {
      this.options.onNotice(l10n.t('The app sends too much; the rest is dropped.'));
      this.fail(message, new AppError(rpcCode.refused, 'Too many messages'));
    } else if (message.id === undefined) {
      this.follow(message);
    } else {
      await this.answer(message, message.id);
    }
  }

  /** Ends the calls under way. Until {@link thaw}, every request of the app is refused with `reason`, a sentence. */
  freeze(reason: string): void {
    this.frozen = reason;
    this.running.abort();
    this.running = new AbortController();
  }

  thaw(): void {
    this.frozen = undefined;
  }

  setSurroundings(surroundings: AppSurroundings): void {
    this.surroundings = surroundings;
    if (this.isInitialized) {
      this.notify('ui/notifications/host-context-changed', this.surroundingsContext());
    }
  }

  dispose(): void {
    if (this.isInitialized) {
      this.options.post({
        jsonrpc: '2.0',
        id: 'teardown',
        method: 'ui/resource-teardown',
        params: {},
      });
    }
    this.freeze('The app was closed');
  }

  private async answer(message: AppMessage, id: string | number): Promise<void> {
    if (this.pending >= maxPending) {
      this.fail(message, new AppError(rpcCode.refused, 'Too many requests at once'));
      return;
    }
    this.pending++;
    try {
      const result = await this.handle(message, this.running.signal);
      this.options.post({ jsonrpc: '2.0', id, result });
    } catch (error) {
      this.fail(message, error);
    } finally {
      this.pending--;
    }
  }

  private async handle({ method, params }: AppMessage, signal: AbortSignal): Promise<JsonObject> {
    if (method === 'ui/initialize') {
      return this.initialize();
    }
    if (this.frozen !== undefined) {
      throw new AppError(rpcCode.refused, this.frozen);
    }
    switch (method) {
      case 'ping':
        return {};
      case 'tools/call':
        return await this.callTool(params, signal);
      case 'resources/read':
        return await this.readResource(params, signal);
      case 'ui/open-link':
        return await this.openLink(params, signal);
      case 'ui/message':
        this.suggest(messageText(params, maxSuggestion));
        return {};
      case 'ui/request-display-mode':
        return { mode: 'inline' };
      default:
        throw new AppError(rpcCode.methodNotFound, `Not offered: ${method}`);
    }
  }

  private follow({ method, params }: AppMessage): void {
    switch (method) {
      case 'ui/notifications/initialized':
        this.start();
        break;
      case 'ui/notifications/request-teardown':
        this.options.close();
        break;
      case 'notifications/message':
        this.options.log('info', `[app] ${logText(params.data)}`);
        break;
      // others need no answer, `size-changed` among them, which the page sees first
    }
  }

  private initialize(): JsonObject {
    const { hostVersion, call, locale, domains } = this.options;
    const { name, title, description, inputSchema } = call.tool;
    return {
      protocolVersion,
      hostInfo: { name: 'pi-mcp', version: hostVersion },
      hostCapabilities: {
        openLinks: {},
        serverTools: {},
        serverResources: {},
        logging: {},
        message: { text: {} },
        sandbox: { permissions: {}, csp: domains },
      },
      hostContext: {
        ...this.surroundingsContext(),
        toolInfo: {
          tool: defined({
            name,
            title: title || undefined,
            description: description || undefined,
            inputSchema,
          }),
        },
        displayMode: 'inline',
        availableDisplayModes: ['inline'],
        locale,
        userAgent: 'pi-mcp',
      },
    };
  }

  /** The second and every later handshake has no effect. */
  private start(): void {
    if (this.isInitialized) {
      return;
    }
    this.isInitialized = true;
    const { args, result } = this.options.call;
    this.notify('ui/notifications/tool-input', { arguments: args });
    this.notify('ui/notifications/tool-result', wireResult(result));
  }

  private surroundingsContext(): JsonObject {
    const { theme, variables, width } = this.surroundings;
    return {
      theme,
      styles: { variables },
      containerDimensions: { width, maxHeight: maxHeightPx },
    };
  }

  private async callTool(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const tool = textParam(params, 'name', 1000);
    const { arguments: args = {} } = params;
    if (!isJsonObject(args)) {
      throw new AppError(rpcCode.invalidParams, '"arguments" must be an object');
    }
    return wireResult(await this.options.call.callTool(tool, args, signal));
  }

  private async readResource(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const uri = textParam(params, 'uri', maxAddress);
    const contents = await this.options.call.server.readResource(uri, { signal });
    return { contents: contents.map(({ ui: _, ...content }) => content) };
  }

  private async openLink(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const url = textParam(params, 'url', maxAddress);
    if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) {
      throw new AppError(rpcCode.refused, 'Only http and https addresses can be opened');
    }
    if (!(await this.options.openLink(url, signal))) {
      throw new AppError(rpcCode.refused, 'The user did not open the link');
    }
    return {};
  }

  private suggest(text: string): void {
    const at = this.now();
    if (at - this.suggestedAt < suggestionPauseMs) {
      throw new AppError(rpcCode.refused, 'Too many messages for the user');
    }
    this.suggestedAt = at;
    this.options.suggest(text);
  }

  private fail({ id }: AppMessage, error: unknown): void {
    if (id !== undefined) {
      const code = error instanceof AppError ? error.code : rpcCode.refused;
      this.options.post({ jsonrpc: '2.0', id, error: { code, message: errorMessage(error) } });
    }
  }

  private notify(method: string, params: JsonObject): void {
    this.options.post({ jsonrpc: '2.0', method, params });
  }
}

function wireResult({ content, structuredContent, isError }: AppCall['result']): JsonObject {
  return defined({
    content,
    isError,
    structuredContent: isJsonObject(structuredContent) ? structuredContent : undefined,
  });
}

function logText(data: unknown): string {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return text.slice(0, maxLogLength);
}

/** Asks before a page opens, and opens it. @returns whether it was opened */
export type AskToOpen = (url: string, signal: AbortSignal) => Promise<boolean>;

/** Questions in a row that the user may decline before the app is not listened to any more. */
const maxDeclined = 3;

/** Links that an app wants to open, one at a time. */
export class AppLinks {
  private isAsking = false;
  private declined = 0;

  constructor(private readonly ask: AskToOpen) {}

  /** @returns whether it was opened. */
  async open(url: string, signal: AbortSignal): Promise<boolean> {
    if (this.isAsking || this.declined >= maxDeclined || signal.aborted) {
      return false;
    }
    this.isAsking = true;
    try {
      const isOpened = await this.ask(new URL(url).href, signal);
      this.declined = isOpened ? 0 : this.declined + 1;
      return isOpened;
    } finally {
      this.isAsking = false;
    }
  }
}
