import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isHumanError } from '../../../src/base/errors.js';
import type { McpServer, McpService } from '../../../src/mcp/mcpApi.js';
import { stateText } from '../../../src/mcp/trouble/stateText.js';
import { toFormEntry } from '../../../src/presentation/configPage/entryMapping.js';
import { configViewState } from '../../../src/presentation/configPage/viewState.js';
import { createExtensionApi } from '../../../src/presentation/createExtensionApi.js';
import { doctorMarkdown } from '../../../src/presentation/doctor/doctorMarkdown.js';
import { serverPageView } from '../../../src/presentation/server/serverPageView.js';
import { summarize } from '../../../src/presentation/statusBar/statusSummary.js';
import {
  childNodes,
  presentNode,
  rootNodes,
  type TreeNode,
} from '../../../src/presentation/tree/nodes.js';
import { serverTooltip } from '../../../src/presentation/tree/tooltips/serverTooltip.js';
import { leftoversOf, reportOf } from '../doctorReport.js';
import { apiParts } from '../toolParts.js';
import { runCli } from './cli.js';
import { editorTexts } from './editorTexts.js';
import type { Scene } from './scene.js';

export function allServers(service: McpService): readonly McpServer[] {
  return service.pools.flatMap((pool) => pool.servers);
}

/** Whatever people, models, other programs or disks get to see of a window. Surface → text. */
export async function surfacesOf(scene: Scene): Promise<Record<string, string>> {
  const { service } = scene;
  const servers = allServers(service);
  const lines = Object.values(scene.logs).flat();
  const isTraffic = (line: string) => /^\w+ [→←]/.test(line);
  return {
    log: lines.filter((line) => !isTraffic(line)).join('\n'),
    traffic: lines.filter(isTraffic).join('\n'),
    tree: treeTexts(service),
    'status bar': JSON.stringify(summarize(servers)),
    states: servers.flatMap(({ state }) => JSON.stringify(stateText(state.value))).join('\n'),
    page: JSON.stringify([configViewState(service), await formTexts(service)]),
    editor: await editorTexts(scene),
    ...(await doctorTexts(scene)),
    'extension API': await apiTexts(service),
    'files of the extension': await filesIn(scene.core.storageDir),
    ...(await cliTexts(scene)),
  };
}

/** What a user and a log are told of an error. */
export function errorText(error: unknown): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const { code, remedy } = isHumanError(error) ? error : { code: '', remedy: '' };
  return [code, message, remedy, stack].join('\n');
}

/** Everything in a folder, as text. */
export async function filesIn(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found.filter((item) => item.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return `${path}\n${await readFile(path, 'utf8')}`;
  });
  return (await Promise.all(texts)).join('\n');
}

function treeTexts(service: McpService): string {
  const context = {
    isWorkspaceTrusted: true,
    folderTrust: (uri: string) => service.trust.folderTrust(uri),
  };
  const texts = (node: TreeNode): readonly string[] => [
    JSON.stringify(presentNode(node, context)),
    JSON.stringify(
      node.kind === 'server'
        ? [
            serverTooltip(node.server),
            serverPageView(service, { id: node.server.id, name: '' }, context),
          ]
        : [],
    ),
    ...childNodes(node).flatMap(texts),
  ];
  return rootNodes(service).flatMap(texts).join('\n');
}

async function formTexts(service: McpService): Promise<unknown> {
  const reads = allServers(service).map(async ({ id }) => {
    const { name, entry } = await service.configuration.read(id);
    return [name, entry, toFormEntry(entry)];
  });
  return await Promise.allSettled(reads);
}

/** With processes that were left behind, one for each entry. */
async function doctorTexts(scene: Scene): Promise<Record<string, string>> {
  const { service, environment, folder } = scene;
  const report = await reportOf({ service, environment, folders: [folder] }, leftoversOf(service));
  return { 'doctor page': JSON.stringify(report), 'doctor copy': doctorMarkdown(report) };
}

async function apiTexts(service: McpService): Promise<string> {
  const api = createExtensionApi(apiParts(service));
  const servers = await api.servers();
  const tools = servers.map(({ poolId, name }) => api.tools(poolId, name));
  const folders = service.pools.map(({ folder }) => api.agentTools(folder?.uri));
  return JSON.stringify([
    api.settings(),
    servers,
    await Promise.all(tools),
    await Promise.all(folders),
  ]);
}

async function cliTexts(scene: Scene): Promise<Record<string, string>> {
  const commands = [
    'list',
    'list --json',
    'probe',
    'probe --json',
    'tools --server visible-good --json',
    'doctor',
    'doctor --json',
    'search visible --server visible-good',
    'call visible-good refuse',
    'call visible-good refuse --json',
  ];
  const texts: Record<string, string> = {};
  for (const command of commands) {
    const run = await runCli(scene, ...command.split(' '), '--trust');
    texts[`cli ${command}`] = `${run.out}\n${run.errors}`;
  }
  return texts;
}
