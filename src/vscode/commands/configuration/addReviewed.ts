import * as vscode from 'vscode';
import { nameToken } from '../../../base/text/nameToken.js';
import type { NewServer } from '../../../config/configuration.js';
import { serverId } from '../../../config/definition.js';
import { takeName } from '../../../config/fixes/quickFixes.js';
import type { SecretKeeper, SecretPlan } from '../../../config/fixes/secretKeeper.js';
import { commandIds } from '../../../contributions.js';
import type { McpPool, McpService } from '../../../mcp/mcpApi.js';
import { addedCautions } from '../../../mcp/registry/cautions.js';
import type { TextDocuments } from '../../documents/textDocuments.js';
import { showInformation } from '../../notifications.js';
import { confirmChange } from '../../prompts/confirmChange.js';
import { pickOne } from '../../prompts/picks/picks.js';

interface ReviewParts {
  readonly service: McpService;
  readonly secrets: SecretKeeper;
  readonly documents: TextDocuments;
}

/** Adds servers once the user has seen what becomes of the file. */
export async function addReviewed(
  { service, documents, secrets }: ReviewParts,
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
  { service, secrets }: Omit<ReviewParts, 'documents'>,
  pool: McpPool,
  servers: readonly NewServer[],
): Promise<SecretPlan> {
  const plan = await secrets.plan(servers, pool);
  const { path } = service.configuration.location(pool.id, 'primary');
  const moved = plan.answers.length > 0 && (await askWhereSecretsGo(plan, path));
  return moved ? plan : { servers, answers: [] };
}

function askWhereSecretsGo({ answers }: SecretPlan, path: string): Promise<boolean> {
  const names = answers.map(({ key }) => key.inputId);
  const references = names.map((name) => `\${input:${name}}`).join(', ');
  return pickOne<boolean>(
    [
      {
        label: `$(lock) ${vscode.l10n.t('Store securely')}`,
        detail: vscode.l10n.t(
          'It goes to the secret storage of VS Code, and the file gets {0}.',
          references,
        ),
        value: true,
      },
      {
        label: `$(unlock) ${vscode.l10n.t('Write it into the file all the same')}`,
        detail: `${vscode.l10n.t('It is plain text in the file.')} ${path}`,
        value: false,
      },
    ],
    { title: vscode.l10n.t('Looks like a secret: {0}.', names.join(', ')) },
  );
}

/** A taken name gets a number, so that nothing that works is replaced. */
function withFreeNames(servers: readonly NewServer[], pool: McpPool): readonly NewServer[] {
  const taken = new Set(pool.servers.map(({ definition }) => definition.name));
  return servers.map((server) => ({ ...server, name: takeName(server.name, taken) }));
}

/** Never waits for the answer: the command is done. */
async function offerProbe(pool: McpPool, names: readonly string[]): Promise<void> {
  const [name, second] = names;
  const added = vscode.l10n.t('Added to the MCP servers: {0}', names.map(nameToken).join(', '));
  if (name === undefined || second !== undefined) {
    void showInformation(added);
    return;
  }
  const probe = vscode.l10n.t('Probe');
  void showInformation(added, probe).then((choice) =>
    choice === probe
      ? vscode.commands.executeCommand(commandIds.probeServer, serverId(pool.id, name))
      : undefined,
  );
}
