/** How often and how well tools were called. Nothing of it leaves the machine; arguments and results are not kept. */
import { basename, dirname, join } from 'node:path';
import { delay, isCancellationError } from '../../../base/async/cancellation.js';
import { type Disposable, MutableDisposable } from '../../../base/disposable.js';
import { errorMessage, isHumanError } from '../../../base/errors.js';
import { Emitter } from '../../../base/event.js';
import { asObject, isJsonObject } from '../../../base/json.js';
import { globalPoolId } from '../../../config/definition.js';
import { expandHome } from '../../../config/launch/places.js';
import { piAgentDir } from '../../../config/parse/configLocations.js';
import type { HostEnvironment } from '../../../platform/ports.js';
import { SharedStore, type StorePlace } from '../../../platform/stores/sharedStore.js';
import type { McpService } from '../../mcpApi.js';
import type { McpToolResult } from '../../mcpTypes.js';
import { guessTokens, loadTokenCounter, type TokenCounter } from '../tokens/tokenEstimate.js';

/** One finished call. */
export interface ToolCallRecord {
  readonly server: string;
  readonly tool: string;
  readonly durationMs: number;
  /** Stable code of what went wrong; absent when nothing did. */
  readonly errorCode?: string;
  /** Of the result as the server sent it. */
  readonly bytes: number;
  /** Of the text that the caller got. */
  readonly tokens: number;
}

export interface ToolStatistic {
  readonly server: string;
  readonly tool: string;
  readonly calls: number;
  readonly errors: Readonly<Record</* code */ string, number>>;
  /** Milliseconds of the latest calls, oldest first. */
  readonly durations: readonly number[];
  readonly bytes: number;
  readonly tokens: number;
}

/** Without a path the numbers last as long as the window. */
export interface StatisticsPlace {
  readonly path: string | undefined;
  readonly flushDelayMs: number;
}

export type ToolStatisticsOptions = Omit<StorePlace, 'directory'>;

/** More say nothing about how a tool behaves now. */
const keptDurations = 200;
/** Characters of a text; the rest is taken to be like them. */
const maxCounted = 30_000;
const defaultFlushDelayMs = 750;

type All = readonly ToolStatistic[];

export class ToolStatistics implements Disposable {
  private readonly changeEmitter = new Emitter<void>();
  private readonly store = new MutableDisposable<SharedStore<All, All>>();
  private place: StatisticsPlace = { path: undefined, flushDelayMs: defaultFlushDelayMs };
  private pending: ToolCallRecord[] = [];
  private readonly counting = new Set<Promise<void>>();
  private flushTimer: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ToolStatisticsOptions) {
    this.open(undefined);
  }

  /** Whether the numbers outlast this process. */
  get isKept(): boolean {
    return this.place.path !== undefined;
  }

  /** In the order of the first calls. */
  get all(): readonly ToolStatistic[] {
    return this.pending.reduce(addCall, this.store.value?.value ?? []);
  }

  /** Keeps the numbers in another place from now on. Never rejects. */
  async keepIn(place: StatisticsPlace): Promise<void> {
    const isMoved = place.path !== this.place.path;
    this.place = place;
    if (isMoved) {
      await this.flush();
      await this.open(place.path);
      this.changeEmitter.fire();
    }
  }

  record(call: ToolCallRecord): void {
    this.pending.push(call);
    this.flushTimer ??= setTimeout(() => void this.flush(), this.place.flushDelayMs);
    this.changeEmitter.fire();
  }

  /** Records a call once its answer is on its way: counting tokens must not delay that. */
  count(call: FinishedCall): void {
    const counted = delay(0)
      .then(() => callRecord(call))
      .then((record) => this.record(record))
      .catch((error: unknown) => this.options.logger.log('warn', errorMessage(error)))
      .finally(() => this.counting.delete(counted));
    this.counting.add(counted);
  }

  /** Writes what is pending. Never rejects. */
  async flush(): Promise<void> {
    await Promise.all(this.counting);
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    const calls = this.pending;
    this.pending = [];
    if (calls.length > 0) {
      await this.store.value
        ?.update(calls.reduce(addCall, [] as All))
        .catch((error: unknown) => this.options.logger.log('warn', errorMessage(error)));
    }
  }

  dispose(): void {
    void this.flush().finally(() => this.store.dispose());
    this.changeEmitter.dispose();
  }

  private async open(path: string | undefined): Promise<void> {
    const store = new SharedStore<All, All>({
      ...this.options,
      directory: path === undefined ? undefined : dirname(path),
      fileName: path === undefined ? '' : basename(path),
      initial: [],
      parse: parseStatistics,
      apply: addAll,
      merge: addAll,
    });
    this.store.value = store;
    store.onDidChange(() => this.changeEmitter.fire());
    await store.start();
  }
}

/** All tools of a server as one. */
export function sumStatistics(
  server: string,
  all: readonly ToolStatistic[],
): ToolStatistic | undefined {
  const own = all.filter((statistic) => statistic.server === server);
  return own.length === 0 ? undefined : own.reduce(sum, emptyStatistic(server, ''));
}

/** With the name of `a`. */
function sum(a: ToolStatistic, b: ToolStatistic): ToolStatistic {
  return {
    server: a.server,
    tool: a.tool,
    calls: a.calls + b.calls,
    errors: addErrors(a.errors, b.errors),
    durations: [...a.durations, ...b.durations],
    bytes: a.bytes + b.bytes,
    tokens: a.tokens + b.tokens,
  };
}

function addAll(all: All, added: All): All {
  return added.reduce(addStatistic, all);
}

function addStatistic(all: All, added: ToolStatistic): All {
  const { server, tool } = added;
  const index = all.findIndex((one) => one.server === server && one.tool === tool);
  const total = sum(all[index] ?? emptyStatistic(server, tool), added);
  const after = { ...total, durations: total.durations.slice(-keptDurations) };
  return index === -1 ? [...all, after] : all.with(index, after);
}

function addCall(all: All, call: ToolCallRecord): All {
  const { server, tool, durationMs, errorCode, bytes, tokens } = call;
  const errors = errorCode === undefined ? {} : { [errorCode]: 1 };
  const durations = [Math.round(durationMs)];
  return addStatistic(all, { server, tool, calls: 1, errors, durations, bytes, tokens });
}

function emptyStatistic(server: string, tool: string): ToolStatistic {
  return { server, tool, calls: 0, errors: {}, durations: [], bytes: 0, tokens: 0 };
}

function addErrors(a: ToolStatistic['errors'], b: ToolStatistic['errors']) {
  const sum = new Map(Object.entries(a));
  for (const [code, count] of Object.entries(b)) {
    sum.set(code, (sum.get(code) ?? 0) + count);
  }
  return Object.fromEntries(sum);
}

/** Leaves out what it does not understand. */
export function parseStatistics(value: unknown): readonly ToolStatistic[] | undefined {
  return Array.isArray(value) ? value.filter(isStatistic) : undefined;
}

function isStatistic(value: unknown): value is ToolStatistic {
  return (
    isJsonObject(value) &&
    typeof value.server === 'string' &&
    typeof value.tool === 'string' &&
    [value.calls, value.bytes, value.tokens].every(isCount) &&
    isJsonObject(value.errors) &&
    Object.values(value.errors).every(isCount) &&
    Array.isArray(value.durations) &&
    value.durations.every(isCount)
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/**
 * Where `captureStats` keeps the numbers. A path is taken from the user's own files only: a project could
 * otherwise have any file overwritten.
 */
export function statisticsPlace(
  captureStats: unknown,
  ownCaptureStats: unknown,
  usual: { readonly path: string; readonly homeDir: string },
): StatisticsPlace {
  const isOn = captureStats === true || isJsonObject(captureStats);
  const own = asObject(ownCaptureStats);
  const delay = isJsonObject(captureStats) ? captureStats.flushDelayMs : undefined;
  const ownPath = typeof own.path === 'string' ? own.path.trim() : '';
  const path = ownPath === '' ? usual.path : expandHome(ownPath, usual.homeDir);
  return {
    path: isOn ? path : undefined,
    flushDelayMs: typeof delay === 'number' ? Math.max(50, delay) : defaultFlushDelayMs,
  };
}

/** As {@link statisticsPlace}, by the files; by default beside the user's other files of Pi, where the command line finds them too. */
export function findStatisticsPlace(
  { pools }: Pick<McpService, 'pools'>,
  environment: HostEnvironment,
): StatisticsPlace {
  const settings = pools.map(({ id, settings: { captureStats } }) => ({ id, captureStats }));
  const own = settings.find(({ id }) => id === globalPoolId)?.captureStats;
  const any = own ?? settings.find(({ captureStats }) => captureStats)?.captureStats;
  const path = join(piAgentDir(environment), 'mcp-tool-stats.json');
  return statisticsPlace(any, own, { path, homeDir: environment.homeDir });
}

/** What a call came to, and what of it the caller got. */
export type CallOutcome =
  | { readonly result: McpToolResult; readonly content: McpToolResult['content'] }
  | { readonly error: unknown };

export interface FinishedCall extends Pick<ToolCallRecord, 'server' | 'tool' | 'durationMs'> {
  readonly outcome: CallOutcome;
}

export type CallCounter = Pick<ToolStatistics, 'count'>;

/**
 * Counts a call, whoever makes it, once it has ended. Rejects as the call and its reading do.
 * @param statistics default: nobody counts
 * @param read makes of the result what the caller gets
 */
export async function countCall<T extends Pick<McpToolResult, 'content'>>(
  statistics: CallCounter | undefined,
  { server, tool }: Pick<ToolCallRecord, 'server' | 'tool'>,
  call: Promise<McpToolResult>,
  read: (result: McpToolResult) => T | Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const count = (durationMs: number, outcome: CallOutcome) =>
    statistics?.count({ server, tool, durationMs, outcome });
  const elapsed = () => performance.now() - startedAt;
  try {
    const result = await call;
    const durationMs = elapsed();
    const got = await read(result);
    count(durationMs, { result, content: got.content });
    return got;
  } catch (error) {
    count(elapsed(), { error });
    throw error;
  }
}

async function callRecord(call: FinishedCall): Promise<ToolCallRecord> {
  const { server, tool, durationMs, outcome } = call;
  if ('error' in outcome) {
    const errorCode = callErrorCode(outcome.error);
    return { server, tool, durationMs, errorCode, bytes: 0, tokens: 0 };
  }
  const { result, content } = outcome;
  const countTokens = await loadTokenCounter().catch(() => guessTokens);
  let tokens = 0;
  for (const { type, text } of content) {
    tokens += type === 'text' && typeof text === 'string' ? countText(text, countTokens) : 0;
  }
  return {
    server,
    tool,
    durationMs,
    errorCode: result.isError ? 'tool_error' : undefined,
    bytes: JSON.stringify(result).length,
    tokens,
  };
}

function countText(text: string, countTokens: TokenCounter): number {
  const tokens = countTokens(text.slice(0, maxCounted));
  return text.length > maxCounted ? Math.round((tokens * text.length) / maxCounted) : tokens;
}

/** Stable code of what kept a call from a result. */
export function callErrorCode(error: unknown): string {
  if (isCancellationError(error)) {
    return 'cancelled';
  }
  return isHumanError(error) ? error.code : 'failed';
}
