import { type HumanError, isHumanError } from '../../base/errors.js';
import { defined } from '../../base/json.js';
import type { McpServerEntry, NewServer } from '../../config/configuration.js';
import { type ConfigProblem, globalPoolId, serverId } from '../../config/definition.js';
import { folderUnknown, serverUnknown } from '../../config/errors.js';
import type { SecretKeeper, WrittenSecret } from '../../config/fixes/secretKeeper.js';
import type { ConfigField } from '../../config/schema/field.js';
import { findField } from '../../config/schema/fields.js';
import { settingFields } from '../../config/schema/settings.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';
import type {
  ConfigFormEntry,
  FieldProblem,
  SaveServerParams,
  SaveServerResult,
} from '../../protocol/configProtocol.js';
import { type FormEntryChange, toEntryChange, toFormEntry } from './entryMapping.js';
import { forFolders } from './formModel.js';

/** Where secrets go that are not to stand in a file. */
export interface SaveParts {
  readonly service: McpService;
  readonly secrets: SecretKeeper;
}

/** Writes nothing when the entry has an error. A refusal of the file's editor is a problem, not a rejection. */
export async function saveServer(
  parts: SaveParts,
  request: SaveServerParams,
): Promise<SaveServerResult> {
  return await refusalAsProblem(() => save(parts, request));
}

/** Writes the settings of the file that new servers of the pool go to. */
export async function saveSettings(
  { configuration }: McpService,
  poolId: string,
  { entry: form, original }: Pick<SaveServerParams, 'entry' | 'original'>,
): Promise<SaveServerResult> {
  return await refusalAsProblem(async () => {
    const { entry } = toEntryChange(
      form,
      await configuration.readSettings(poolId),
      settingsOf(poolId),
      original,
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
      return { saved: false, problems: [refusalProblem(error)] };
    }
    throw error;
  }
}

async function save(parts: SaveParts, request: SaveServerParams): Promise<SaveServerResult> {
  const { configuration } = parts.service;
  const { id, name, file } = request;
  const draft = await readServerDraft(parts.service, request);
  const { change, stored, pool } = draft;
  const known = stored ? configuration.validate(name, stored) : [];
  const problems = configuration
    .validate(name, draft.entry)
    .filter((problem) => problem.severity === 'error' || isCaused(problem, known));
  if (problems.length > 0) {
    return { saved: false, problems: problems.map(toFieldProblem) };
  }
  const plan = await parts.secrets.plan(
    [{ name, entry: draft.entry }],
    pool,
    (secret) => isTyped(secret, draft) && !request.inFile.includes(secret.field),
  );
  await parts.secrets.carryOut(plan, async () => {
    const { entry, inputs = [] }: NewServer = plan.servers[0] ?? { name, entry: draft.entry };
    if (id === undefined) {
      await configuration.addServers(pool.id, [{ name, entry, inputs }], file);
    } else {
      const isRenamed = name !== draft.name;
      const changed = Object.keys(change.entry).map((field) => [field, entry[field]]);
      await configuration.updateServer(id, {
        ...change,
        entry: Object.fromEntries(changed),
        inputs,
        name: isRenamed ? name : undefined,
      });
    }
  });
  return { saved: true, id: serverId(pool.id, name) };
}

/** What the form stands for. */
interface Draft {
  readonly pool: McpPool;
  /** Before. */
  readonly name: string | undefined;
  readonly stored: McpServerEntry | undefined;
  readonly change: FormEntryChange;
  /** As it would be; what is kept is hidden. */
  readonly entry: McpServerEntry;
}

/** @throws {HumanError} when the server or its folder is gone. */
export async function readServerDraft(
  service: McpService,
  request: SaveServerParams,
): Promise<Draft> {
  const { configuration } = service;
  const { id } = request;
  const existing = id === undefined ? undefined : service.getServer(id);
  if (id !== undefined && !existing) {
    throw serverUnknown(request.name);
  }
  const pool = service.getPool(existing?.definition.poolId ?? request.poolId);
  if (!pool) {
    throw folderUnknown();
  }
  const stored = existing && (await configuration.read(existing.id)).entry;
  const change = toEntryChange(request.entry, stored, undefined, stored && request.original);
  return {
    pool,
    name: existing?.definition.name,
    stored,
    change,
    entry: defined({ ...stored, ...change.entry }),
  };
}

/** What stood in the file before stays as it is. */
export function isTyped({ path: [field] }: WrittenSecret, { change }: Draft): boolean {
  return field !== undefined && Object.hasOwn(change.entry, field);
}

/** The refusal of a name belongs to its field. */
export function refusalProblem({ code, message, remedy = '' }: HumanError): FieldProblem {
  const isOfName = ['server_name_empty', 'server_name_taken', 'malformed-name'].includes(code);
  return { code, message, remedy, field: isOfName ? 'name' : undefined };
}

/** A value that would be ignored is refused, unless it was there before. */
function isCaused({ severity, message }: ConfigProblem, known: readonly ConfigProblem[]): boolean {
  return severity === 'warning' && !known.some((before) => before.message === message);
}

/** Rules are named after the field they are about, where they do not say it. */
function toFieldProblem({ code, message, remedy, field }: ConfigProblem): FieldProblem {
  const named = code.split('-').find((word) => word === 'name' || findField(word));
  const id = field ?? (code === 'command-and-url' ? undefined : named);
  return { code, message, remedy, field: id };
}
