/** Saving what the form sends. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import { HumanError, isHumanError } from '../../base/errors.js';
import type { McpServerEntry } from '../../config/configuration.js';
import { serverId } from '../../config/definition.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type {
  ConfigFormEntry,
  ConfigFormField,
  FieldProblem,
  SaveServerResult,
} from '../../protocol/configProtocol.js';
import { toEntryChange } from './entryMapping.js';

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
  try {
    return await save(service, request);
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
    throw new HumanError('server-gone', l10n.t('The server is no longer in its file.'), {
      remedy: l10n.t('Cancel, then add it again.'),
    });
  }
  const stored = id === undefined ? undefined : (await configuration.read(id)).entry;
  const change = toEntryChange(request.entry, stored);
  const problems = configuration
    .validate(name, withoutUndefined({ ...stored, ...change.entry }))
    .filter(({ severity }) => severity === 'error');
  if (problems.length > 0) {
    return {
      saved: false,
      problems: problems.map(({ code, message, remedy }) => ({
        code,
        message,
        remedy,
        ...fieldOf(code),
      })),
    };
  }
  const poolId = existing?.definition.poolId ?? request.poolId;
  if (id === undefined) {
    await configuration.add(poolId, name, withoutUndefined(change.entry));
  } else {
    const isRenamed = name !== existing?.definition.name;
    await configuration.update(id, { ...change, ...(isRenamed ? { name } : {}) });
  }
  return { saved: true, id: serverId(poolId, name) };
}

/** Rules are named after the field they are about, where there is one. */
function fieldOf(code: string): Pick<FieldProblem, 'field'> {
  const fields: readonly ConfigFormField[] = [
    'name',
    'command',
    'url',
    'cwd',
    'args',
    'env',
    'headers',
  ];
  const field = fields.find((candidate) => code.split('-').includes(candidate));
  return code === 'command-and-url' || field === undefined ? {} : { field };
}

function withoutUndefined(entry: McpServerEntry): McpServerEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
