import * as vscode from 'vscode';
import { labelText } from '../../../base/text/labelText.js';
import { nameToken } from '../../../base/text/nameToken.js';
import type { NewServer } from '../../../config/configuration.js';
import { serverId } from '../../../config/definition.js';
import type { SecretKeeper, SecretPlan } from '../../../config/fixes/secretKeeper.js';
import { type TakenServer, withAskedInputs } from '../../../config/imports/importableServers.js';
import type { PastedServer } from '../../../config/paste/addedServer.js';
import { parsePastedServers } from '../../../config/paste/pastedServers.js';
import { uniqueName } from '../../../config/paste/serverName.js';
import { commandIds } from '../../../contributions.js';
import type { McpPool, McpService } from '../../../mcp/mcpApi.js';
import { addedCautions } from '../../../mcp/registry/cautions.js';
import { poolOf } from '../../../presentation/tree/targets.js';
import type { CommandHandlers } from '../../commandHandlers.js';
import type { TextDocuments } from '../../documents/textDocuments.js';
import { showInformation } from '../../notifications.js';
import { askNewServer } from '../../prompts/addServerSteps.js';
import { confirmChange } from '../../prompts/confirmChange.js';
import { pickOne, pickSome } from '../../prompts/picks/picks.js';
import { pickTarget } from '../../prompts/picks/serverPicker.js';

export interface AddServerParts {
  readonly service: McpService;
  readonly secrets: SecretKeeper;
  readonly documents: TextDocuments;
  readonly openForm: (poolId: string, isSettings: boolean) => void;
  readonly registry: { show(): void };
}

export function addServerCommands(parts: AddServerParts): CommandHandlers {
  const { service, openForm, registry } = parts;
  return {
    [commandIds.addServer]: async (argument) => {
      const pool = poolOf(service, argument);
      const answer = await askNewServer(service, pool);
      switch (answer.kind) {
        case 'clipboard':
          await addFromClipboard(parts, pool);
          break;
        case 'registry':
          registry.show();
          break;
        case 'form':
          openForm((pool ?? preferredPool(service) ?? (await pickTarget(service))).id, false);
          break;
        case 'server':
          await addWithoutSecrets(parts, answer.pool, answer);
      }
    },
  };
}

/** New servers belong to the project where there is one. */
function preferredPool(service: McpService): McpPool | undefined {
  return service.pools.find((pool) => pool.folder?.fsPath !== undefined) ?? service.pools[0];
}

async function addFromClipboard(parts: AddServerParts, target: McpPool | undefined): Promise<void> {
  const found = await pickPasted(parsePastedServers(await vscode.env.clipboard.readText()));
  const pool = target ?? (await pickTarget(parts.service));
  const taken = await parts.secrets.takenIds(pool);
  const asking = withAskedInputs(found.map(taking), taken);
  await addReviewed(parts, pool, asking, (servers) =>
    servers.length === 1
      ? vscode.l10n.t('Add Server: {0}', nameToken(servers[0]?.name ?? ''))
      : vscode.l10n.t('Add {0} Servers', servers.length),
  );
}

/** The inputs that its block declares come along. */
function taking({ name, entry, declared = [] }: PastedServer): TakenServer {
  return { name, entry, file: { path: '', inputs: declared } };
}

async function addWithoutSecrets(
  { service, secrets }: AddServerParts,
  pool: McpPool,
  { name, entry }: NewServer,
): Promise<void> {
  const plan = await planSecrets({ service, secrets }, pool, [{ name, entry }]);
  await secrets.carryOut(plan, () => service.configuration.addServers(pool.id, plan.servers));
  await offerProbe(pool, [name]);
}

/** Adds servers once the user has seen what becomes of the file. */
export async function addReviewed(
  { service, documents, secrets }: Pick<AddServerParts, 'service' | 'documents' | 'secrets'>,
  pool: McpPool,
  found: readonly NewServer[],
  actionFor: (servers: readonly NewServer[]) => string,
): Promise<void> {
  const free = withFreeNames(found, pool);
  const plan = await planSecrets({ service, secrets }, pool, free);
  const { servers } = plan;
  const change = await service.configuration.previewAdd(pool.id, servers);
  await confirmChange(documents, change, actionFor(servers), addedCautions(servers));
  await secrets.carryOut(plan, () => service.configuration.addServers(pool.id, servers));
  await offerProbe(
    pool,
    servers.map(({ name }) => name),
  );
}

/** Secrets go to the secret storage, unless the user says otherwise. */
async function planSecrets(
  { service, secrets }: Pick<AddServerParts, 'service' | 'secrets'>,
  pool: McpPool,
  servers: readonly NewServer[],
): Promise<SecretPlan> {
  const plan = await secrets.plan(servers, pool);
  const { path } = service.configuration.location(pool.id, 'primary');
  const moved = plan.answers.length > 0 && (await askWhereSecretsGo(plan, path));
  return moved ? plan : { servers, answers: [] };
}

function askWhereSecretsGo({ answers }: SecretPlan, path: string): Promise<boolean> {
  const references = answers.map(({ key }) => `\${input:${key.inputId}}`).join(', ');
  return pickOne<boolean>(
    [
      {
        label: `$(lock) ${vscode.l10n.t('Keep Secrets Out of the File')}`,
        detail: vscode.l10n.t(
          'They go to the secret storage of VS Code, and the file gets {0}.',
          references,
        ),
        value: true,
      },
      {
        label: `$(unlock) ${vscode.l10n.t('Write Secrets Into the File')}`,
        detail: vscode.l10n.t('They are plain text in {0}.', path),
        value: false,
      },
    ],
    {
      title: vscode.l10n.t('Where Secrets Go'),
      placeHolder:
        answers.length === 1
          ? vscode.l10n.t('One value looks like a secret.')
          : vscode.l10n.t('{0} values look like secrets.', answers.length),
    },
  );
}

/** Asks only when there is a choice. */
async function pickPasted(found: readonly PastedServer[]): Promise<readonly PastedServer[]> {
  if (found.length < 2) {
    return found;
  }
  const items = found.map((server) => ({
    label: labelText(server.name),
    description: labelText(String(server.entry.url ?? server.entry.command ?? '')),
    picked: true,
    value: server,
  }));
  return pickSome<PastedServer>(items, vscode.l10n.t('Servers to Add'));
}

/** A taken name gets a number, so that nothing that works is replaced. */
function withFreeNames(servers: readonly NewServer[], pool: McpPool): readonly NewServer[] {
  const taken = new Set(pool.servers.map(({ definition }) => definition.name));
  return servers.map(({ name, entry, inputs = [] }) => {
    const free = uniqueName(name, taken);
    taken.add(free);
    return { name: free, entry, inputs };
  });
}

/** Never waits for the answer: the command is done. */
async function offerProbe(pool: McpPool, names: readonly string[]): Promise<void> {
  const [name] = names;
  if (name === undefined || names.length > 1) {
    void showInformation(vscode.l10n.t('{0} MCP servers were added.', names.length));
    return;
  }
  const probe = vscode.l10n.t('Probe');
  void showInformation(vscode.l10n.t('MCP server added: {0}', nameToken(name)), probe).then(
    (choice) =>
      choice === probe
        ? vscode.commands.executeCommand(commandIds.probeServer, serverId(pool.id, name))
        : undefined,
  );
}
