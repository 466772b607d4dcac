/** Commands that change configuration files, by the one editor that all surfaces use. */
import type { NewServer } from '../../config/configuration.js';
import { serverId } from '../../config/definition.js';
import { assertNothingSecret } from '../../config/lint/sharedSecrets.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import type { MoveTarget } from '../arguments.js';
import { type CliResult, resultOf } from '../cliTypes.js';
import { listServer } from '../list.js';
import type { Scope } from '../options/optionTable.js';
import type { CliSession } from '../session.js';
import { fileOf, findDeclared } from './places.js';

/** @param within does the writing together with what belongs to it. Default: nothing does */
export async function runAdd(
  session: CliSession,
  added: NewServer,
  within: (path: string, write: () => Promise<void>) => Promise<void> = (_path, write) => write(),
): Promise<CliResult> {
  const { service, flags } = session;
  const scope = flags.scope ?? 'local';
  const { poolId, file } = fileOf(session, scope);
  const { configuration } = service;
  const { path, layer } = configuration.location(poolId, file);
  await assertNothingSecret(added.name, added.entry, { path, layer }, session.environment.homeDir);
  await within(path, () => configuration.addServers(poolId, [added], file));
  await service.reload();
  const sentence = `added to ${path} (${scope}).`;
  const server = service.getServer(serverId(poolId, added.name));
  return changed({ action: 'added', name: added.name, scope, path }, sentence, server);
}

export async function runRemove(session: CliSession, name: string): Promise<CliResult> {
  const { service, flags } = session;
  const { server, origin, scope } = findDeclared(session, name, flags.scope);
  await service.configuration.removeServer(server.id, origin.path);
  await service.reload();
  const { path } = origin;
  const left = service.getServer(server.id);
  return changed({ action: 'removed', name, scope, path }, `removed from ${path}.`, left);
}

export async function runTransfer(
  session: CliSession,
  name: string,
  target: MoveTarget,
  isCopy: boolean,
): Promise<CliResult> {
  const { configuration } = session.service;
  const { server, origin } = findDeclared(session, name, target.from);
  const { scope } = target;
  const { poolId, file } = fileOf(session, scope);
  const { path } = configuration.location(poolId, file);
  const id = await configuration.transferServer(
    server.id,
    { poolId, file, name: target.name, isCopy },
    origin.path,
  );
  await session.service.reload();
  const words = isCopy
    ? `copied from ${origin.path} to ${path}.`
    : `moved from ${origin.path} to ${path}.`;
  const change = {
    action: isCopy ? 'copied' : 'moved',
    name: target.name ?? name,
    scope,
    path,
    from: origin.path,
  } as const;
  return changed(change, words, session.service.getServer(id));
}

/** `--scope project` and `local` switch the server for the folder, wherever it is declared. */
export async function runSwitch(
  session: CliSession,
  name: string,
  isEnabled: boolean,
): Promise<CliResult> {
  const { service, flags, folderUri } = session;
  const { configuration } = service;
  const isOfFolder = flags.scope === 'project' || flags.scope === 'local';
  const { server, scope } = findSwitched(session, name);
  if (isOfFolder) {
    const { file } = fileOf(session, flags.scope ?? scope);
    await configuration.setEnabledIn(server.id, folderUri, isEnabled, file);
  } else {
    await configuration.setEnabled(server.id, isEnabled);
  }
  await service.reload();
  const now = service.getServer(server.id);
  const sentence = isEnabled ? 'enabled.' : 'disabled.';
  const action = isEnabled ? 'enabled' : 'disabled';
  return changed({ action, name, scope: flags.scope ?? scope }, sentence, now);
}

/** For the folder any server that it has, off or hidden; what is meant without a scope has to be clear. */
function findSwitched(session: CliSession, name: string) {
  const { service, flags } = session;
  // those of the folder stand behind those of the user
  const last = service.servers.findLast(({ definition }) => definition.name === name);
  if (flags.scope === 'user' || flags.scope === undefined || !last) {
    return findDeclared(session, name, flags.scope);
  }
  return { server: last, scope: flags.scope };
}

interface Change {
  readonly action: 'added' | 'removed' | 'moved' | 'copied' | 'enabled' | 'disabled';
  readonly name: string;
  readonly scope: Scope;
  readonly path?: string;
  readonly from?: string;
}

/** @param server what there is of that name now */
function changed(change: Change, sentence: string, server: McpServer | undefined): CliResult {
  const isSaid = change.action === 'disabled' && server?.state.value.kind === 'disabled';
  const state = server && !isSaid ? ` ${stateText(server.state.value).sentence}` : '';
  const document = { ...change, server: server ? listServer(server) : null };
  return resultOf(document, [`${change.name}: ${sentence}${state}`]);
}
