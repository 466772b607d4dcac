/** Adding servers of models, of this machine or by their address. */
import * as vscode from 'vscode';
import type { ModelServer, ServedModel } from '../../agent/models/servers/modelServer.js';
import {
  findModelServers,
  localServers,
  type ModelServers,
} from '../../agent/models/servers/modelServers.js';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { CancellationError } from '../../base/async/cancellation.js';
import { HumanError, isHumanError, messageWithRemedy } from '../../base/errors.js';
import { labelText } from '../../base/text/labelText.js';
import { type Heading, listHeading, type PickItem, pickOne } from '../prompts/picks/picks.js';
import { withCancellableProgress } from '../workspace/cancelling.js';

export type ModelServerPanel = Pick<AgentPanel, 'selectModel'> & {
  readonly servers: ModelServers;
};

interface Served {
  readonly server: ModelServer;
  readonly model: ServedModel;
}

/** Asks the ports of this machine on which model servers listen, and nobody else. */
export async function findLocalModels(panel: ModelServerPanel): Promise<void> {
  const title = vscode.l10n.t('Loading…');
  const servers = await withCancellableProgress(title, (signal) => findModelServers(signal));
  if (servers.length === 0) {
    const places = localServers.map(({ name, port }) => `${name} (${port})`).join(', ');
    throw new HumanError(
      'no_model_server',
      vscode.l10n.t('No model server with a model answers on this machine. Asked: {0}.', places),
      { remedy: vscode.l10n.t('Start one and load a model, or add a server by its address.') },
    );
  }
  await addAndUse(panel, servers);
}

export async function addModelServer(panel: ModelServerPanel): Promise<void> {
  const title = vscode.l10n.t('Add Model Server…');
  const address = await ask({
    title,
    prompt: vscode.l10n.t(
      'Address of a server that speaks OpenAI’s protocol. What you write goes there.',
    ),
    placeHolder: 'http://localhost:11434/v1',
  });
  const { server, key } = await read(panel, address, title);
  await addAndUse(panel, [server], key);
}

async function read(panel: ModelServerPanel, address: string, title: string) {
  const look = (key: string | undefined) =>
    withCancellableProgress(vscode.l10n.t('Loading…'), (signal) =>
      panel.servers.read(address, key, signal),
    );
  let key: string | undefined;
  for (;;) {
    try {
      return { server: await look(key), key };
    } catch (error) {
      if (!isHumanError(error) || error.code !== 'model_server_key') {
        throw error;
      }
      key = await ask({
        title,
        prompt: messageWithRemedy(error),
        password: true,
      });
    }
  }
}

/** Keeps all models of the servers, and uses the one that the user takes. */
async function addAndUse(
  panel: ModelServerPanel,
  servers: readonly ModelServer[],
  key?: string,
): Promise<void> {
  const items = servers.flatMap((server): readonly (PickItem<Served> | Heading)[] => [
    listHeading(labelText(`${server.name} · ${server.baseUrl}`)),
    ...server.models.map((model) => ({
      label: labelText(model.id),
      description: labelText(describe(model)),
      value: { server, model },
    })),
  ]);
  const picked = await pickOne<Served>(items, {
    title: vscode.l10n.t('Choose the Model'),
    placeHolder: vscode.l10n.t('All of them are added to models.json of Pi; this one is used now'),
  });
  for (const server of servers) {
    const provider = await panel.servers.add(server, key);
    if (server === picked.server) {
      await panel.selectModel(provider, picked.model.id);
    }
  }
}

function describe({ contextWindow, takesImages, thinks }: ServedModel): string {
  return [
    ...(contextWindow === undefined ? [] : [vscode.l10n.t('{0} tokens', String(contextWindow))]),
    ...(takesImages ? [vscode.l10n.t('images')] : []),
    ...(thinks ? [vscode.l10n.t('thinking')] : []),
  ].join(' · ');
}

async function ask(options: vscode.InputBoxOptions): Promise<string> {
  const answer = await vscode.window.showInputBox({ ignoreFocusOut: true, ...options });
  if (answer === undefined || answer.trim() === '') {
    throw new CancellationError();
  }
  return answer.trim();
}
