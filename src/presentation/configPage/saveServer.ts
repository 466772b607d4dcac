import { isHumanError } from '../../base/errors.js';
import type { McpServerEntry } from '../../config/configuration.js';
import { type ConfigProblem, globalPoolId, serverId } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import type { ConfigField } from '../../config/schema/field.js';
import { findField } from '../../config/schema/fields.js';
import { settingFields } from '../../config/schema/settings.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type {
  ConfigFormEntry,
  FieldProblem,
  SaveServerResult,
} from '../../protocol/configProtocol.js';
import { toEntryChange, toFormEntry } from './entryMapping.js';
import { forFolders } from './formModel.js';

export interface SaveRequest {
  /** `undefined` adds a server. */
  readonly id?: string;
  readonly poolId: string;
  readonly name: string;
  readonly entry: ConfigFormEntry;
}

/** Writes nothing when the entry has an error. A refusal of the file's editor is a problem, not a rejection. */
export async function saveServer(
  service: McpService,
  request: SaveRequest,
): Promise<SaveServerResult> {
  return await refusalAsProblem(() => save(service, request));
}

/** Writes the settings of the file that new servers of the pool go to. */
export async function saveSettings(
  { configuration }: McpService,
  poolId: string,
  form: ConfigFormEntry,
): Promise<SaveServerResult> {
  return await refusalAsProblem(async () => {
    const { entry } = toEntryChange(
      form,
      await configuration.readSettings(poolId),
      settingsOf(poolId),
    );
    await configuration.updateSettings(poolId, entry);
    return { saved: true, id: poolId };
  });
}

export async function readSettings(
  { configuration }: McpService,
  poolId: string,
): Promise<ConfigFormEntry> {
  return toFormEntry(await configuration.readSettings(poolId), settingsOf(poolId));
}

function settingsOf(poolId: string): readonly ConfigField[] {
  const { fields } = settingFields;
  return poolId === globalPoolId ? fields : forFolders(fields);
}

async function refusalAsProblem(work: () => Promise<SaveServerResult>): Promise<SaveServerResult> {
  try {
    return await work();
  } catch (error) {
    if (isHumanError(error)) {
      const { code, message, remedy } = error;
      return { saved: false, problems: [{ code, message, remedy: remedy ?? '' }] };
    }
    throw error;
  }
}

async function save(service: McpService, request: SaveRequest): Promise<SaveServerResult> {
  const { configuration } = service;
  const { id, name } = request;
  const existing = id === undefined ? undefined : service.getServer(id);
  if (id !== undefined && !existing) {
    throw serverUnknown(name);
  }
  const stored = id === undefined ? undefined : (await configuration.read(id)).entry;
  const change = toEntryChange(request.entry, stored);
  const known = stored ? configuration.validate(name, stored) : [];
  const problems = configuration
    .validate(name, withoutUndefined({ ...stored, ...change.entry }))
    .filter((problem) => problem.severity === 'error' || isCaused(problem, known));
  if (problems.length > 0) {
    return { saved: false, problems: problems.map(toFieldProblem) };
  }
  const poolId = existing?.definition.poolId ?? request.poolId;
  if (id === undefined) {
    await configuration.addServer(poolId, name, withoutUndefined(change.entry));
  } else {
    const isRenamed = name !== existing?.definition.name;
    await configuration.updateServer(id, { ...change, ...(isRenamed ? { name } : {}) });
  }
  return { saved: true, id: serverId(poolId, name) };
}

/** A value that would be ignored is refused, unless it was there before. */
function isCaused({ severity, message }: ConfigProblem, known: readonly ConfigProblem[]): boolean {
  return severity === 'warning' && !known.some((before) => before.message === message);
}

/** Rules are named after the field they are about, where they do not say it. */
function toFieldProblem({ code, message, remedy, field }: ConfigProblem): FieldProblem {
  const named = code.split('-').find((word) => word === 'name' || findField(word));
  const id = field ?? (code === 'command-and-url' ? undefined : named);
  return { code, message, remedy, ...(id === undefined ? {} : { field: id }) };
}

function withoutUndefined(entry: McpServerEntry): McpServerEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
