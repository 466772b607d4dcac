import { HumanError } from '../../base/errors.js';
import { oneLine } from '../../base/text/plainText.js';
import type { ConsentRequest, McpServer } from '../../mcp/mcpApi.js';
import { consentText, definitionsText } from '../../presentation/consent/consentText.js';
import { type CliResult, resultOf } from '../cliTypes.js';
import { connectAll, exitStatus } from '../connect.js';
import { changesDocument } from '../probe.js';
import { type CliSession, findServer } from '../session.js';
import { askYesNo } from './askYesNo.js';

/**
 * Consents to servers of the folder exactly as they are shown, for later runs of the command line.
 * @param names default: all that wait
 */
export async function runTrust(session: CliSession, names: readonly string[]): Promise<CliResult> {
  const { service, folder, flags } = session;
  if (flags.folderTrust) {
    return trustFolder(session, names);
  }
  if (flags.definitions) {
    return acceptDefinitions(session, names);
  }
  // a name that nobody has is a mistake, one that needs no consent is none
  const named = names.map((name) => findServer(session, name).definition.name);
  const waiting = await service.trust.pendingConsent(folder.uri);
  const requests = waiting.filter(({ name }) => named.length === 0 || named.includes(name));
  if (requests.length === 0) {
    return grantOf(session, [], 'No MCP server waits for your review.');
  }
  const detail = consentText(requests);
  const question =
    requests.length === 1
      ? `Do you trust this MCP server of folder "${folder.name}" to run?`
      : `Do you trust these ${requests.length} MCP servers of folder "${folder.name}" to run?`;
  await askYesNo({ io: session.io, flags }, detail, question);
  await service.trust.trustServers(folder.uri, requests);
  return grantOf(session, requests, `Trusted, as shown: ${namesText(requests)}.`);
}

/** Connects servers that may run, and accepts what they changed exactly as it is shown. */
async function acceptDefinitions(
  session: CliSession,
  names: readonly string[],
): Promise<CliResult> {
  const servers =
    names.length > 0 ? names.map((name) => findServer(session, name)) : session.servers;
  const { io, flags } = session;
  await connectAll(session, servers);
  const changed = servers.filter(({ catalog }) => catalog.value.changes);
  const document = (accepted: readonly McpServer[]) => ({
    accepted: accepted.map(({ definition }) => definition.name),
    changes: servers.flatMap((server) => changesDocument(server)),
  });
  if (changed.length === 0) {
    const text = 'No server changed its definitions.';
    return resultOf(document([]), [text], exitStatus(session, servers));
  }
  const shown = changed.map(({ catalog }) => catalog.value.changes ?? []);
  const detail = changed.map(({ definition }, index) =>
    definitionsText(definition.name, shown[index] ?? []),
  );
  await askYesNo({ io, flags }, detail.join('\n\n'), 'Do you accept these definitions?');
  for (const [index, server] of changed.entries()) {
    await server.acceptDefinitions((shown[index] ?? []).map(({ fingerprint }) => fingerprint));
  }
  const accepted = namesText(changed.map(({ definition }) => definition));
  const text = `Accepted, as shown: ${accepted}.`;
  return resultOf(document(changed), [text], exitStatus(session, servers));
}

/** Consents to every present and later entry of the folder's files. */
async function trustFolder(session: CliSession, names: readonly string[]): Promise<CliResult> {
  const { service, folder, flags } = session;
  if (names.length > 0) {
    throw new HumanError('usage', '"--folder-trust" is about all servers of the folder.', {
      remedy: 'Leave out the names, or the option.',
    });
  }
  const requests = await service.trust.pendingConsent(folder.uri);
  const detail = consentText(requests);
  const meaning =
    'What is added to its files starts without a question, also when others add it; what the agent writes still asks.';
  await askYesNo(
    { io: session.io, flags },
    [detail, meaning].filter(Boolean).join('\n\n'),
    `Do you trust folder "${folder.name}", with all MCP servers of its files?`,
  );
  await service.trust.trustFolder(folder.uri);
  return grantOf(session, requests, 'The folder is trusted as a whole.');
}

/**
 * Withdraws all consent that the command line holds for the folder, also for another one that stood at its path, or one
 * that is gone.
 */
export async function runRevoke(session: CliSession): Promise<CliResult> {
  const { service, folder } = session;
  const records = await service.trust.records();
  const had = records.some(({ folderUri }) => folderUri === folder.uri);
  await service.trust.revoke(folder.uri);
  const sentence = had ? 'Trust was revoked.' : 'Nothing was trusted.';
  return resultOf({ folder: folder.fsPath, revoked: had }, [sentence]);
}

async function grantOf(
  { service, folder }: CliSession,
  granted: readonly ConsentRequest[],
  sentence: string,
): Promise<CliResult> {
  const left = await service.trust.pendingConsent(folder.uri);
  const toNames = (requests: readonly ConsentRequest[]) => requests.map(({ name }) => name);
  const names = { granted: toNames(granted), waiting: toNames(left) };
  return resultOf({ folder: folder.fsPath, ...names }, [sentence]);
}

function namesText(named: readonly { readonly name: string }[]): string {
  return named.map(({ name }) => oneLine(name)).join(', ');
}
