/** What was run by hand in this workspace: arguments, how it ended and how long it took. No results, no secrets. */
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { KeptValue } from '../../platform/ports.js';
import type { RunEnd } from '../../protocol/tools/runTool.js';
import { withoutSecrets } from './withoutSecrets.js';

export interface RunRecord {
  readonly id: string;
  readonly at: string;
  readonly end: RunEnd;
  readonly ms: number;
  /** Absent when they were too long. */
  readonly args?: JsonObject;
  readonly lacksSecrets: boolean;
}

export interface RunnableTool {
  /** Tells servers of two folders apart. */
  readonly serverId: string;
  readonly tool: string;
  readonly schema: JsonObject;
}

interface ToolRuns {
  readonly serverId: string;
  readonly tool: string;
  /** Newest first. */
  readonly runs: readonly RunRecord[];
}

const maxRuns = 50;
const maxTools = 200;
/** Characters of JSON. */
const maxArguments = 20_000;
const ends: readonly unknown[] = ['done', 'failed', 'error', 'cancelled'] satisfies RunEnd[];

export class RunHistory {
  constructor(private readonly kept: KeptValue) {}

  /** Newest first. */
  of(tool: RunnableTool): readonly RunRecord[] {
    return this.read().find(isOf(tool))?.runs ?? [];
  }

  async add(
    tool: RunnableTool,
    run: { readonly at: string; readonly end: RunEnd; readonly ms: number },
    args: JsonObject,
  ): Promise<void> {
    const kept = withoutSecrets(tool.schema, args);
    const isShort = JSON.stringify(kept.args).length <= maxArguments;
    const known = this.of(tool);
    const record = {
      ...run,
      id: nextId(known),
      lacksSecrets: kept.lacksSecrets,
      args: isShort ? kept.args : undefined,
    };
    await this.write(tool, [record, ...known].slice(0, maxRuns));
  }

  async forget(tool: RunnableTool): Promise<void> {
    await this.write(tool, []);
  }

  private async write(tool: RunnableTool, runs: readonly RunRecord[]): Promise<void> {
    const others = this.read().filter((one) => !isOf(tool)(one));
    const { serverId, tool: name } = tool;
    const own = runs.length > 0 ? [{ serverId, tool: name, runs }] : [];
    await this.kept.remember([...own, ...others].slice(0, maxTools));
  }

  private read(): readonly ToolRuns[] {
    const stored = this.kept.recall();
    return Array.isArray(stored) ? stored.flatMap(parseTool) : [];
  }
}

function isOf({ serverId, tool }: RunnableTool) {
  return (one: ToolRuns) => one.serverId === serverId && one.tool === tool;
}

function nextId([newest]: readonly RunRecord[]): string {
  return String(Number(newest?.id ?? 0) + 1);
}

function parseTool(value: unknown): readonly ToolRuns[] {
  if (!isJsonObject(value) || !Array.isArray(value.runs)) {
    return [];
  }
  const { serverId, tool } = value;
  return typeof serverId === 'string' && typeof tool === 'string'
    ? [{ serverId, tool, runs: value.runs.filter(isRecord) }]
    : [];
}

function isRecord(value: unknown): value is RunRecord {
  return (
    isJsonObject(value) &&
    typeof value.id === 'string' &&
    typeof value.at === 'string' &&
    typeof value.ms === 'number' &&
    typeof value.lacksSecrets === 'boolean' &&
    ends.includes(value.end) &&
    (value.args === undefined || isJsonObject(value.args))
  );
}
