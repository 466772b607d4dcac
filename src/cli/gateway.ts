import { version } from '../../package.json';
import { errorMessage } from '../base/errors.js';
import { onceEvent } from '../base/event.js';
import { oneLine } from '../base/text/plainText.js';
import { maskText } from '../config/secrets/secretMask.js';
import { Gateway } from '../gateway/gateway.js';
import type { ToolProfiles } from '../mcp/catalog/records/toolProfiles.js';
import { findStatisticsPlace, type ToolStatistics } from '../mcp/catalog/records/toolStatistics.js';
import type { CliSession } from './session.js';
import { openStatistics } from './statistics.js';
import { chosenProfiles } from './tools/profile.js';

/** Serves until the standard input ends, the run is interrupted or consent is withdrawn; then nothing is left of it. */
export async function runGateway(session: CliSession, port: number): Promise<void> {
  const { service, environment } = session;
  const [profiles, statistics] = await Promise.all([
    chosenProfiles(session),
    openStatistics(session),
  ]);
  const following = service.onDidChangePools(
    () => void statistics.keepIn(findStatisticsPlace(service, environment)),
  );
  try {
    await serve(session, port, profiles, statistics);
  } finally {
    following.dispose();
    profiles.dispose();
    await statistics.flush();
    statistics.dispose();
  }
}

async function serve(
  { service, folderUri, flags, io }: CliSession,
  port: number,
  profiles: ToolProfiles,
  statistics: ToolStatistics,
): Promise<void> {
  const gateway = await Gateway.start({
    service,
    folderUri,
    port,
    version,
    surface: 'console',
    readsOnce: flags.trust,
    rules: {
      isToolLent: ({ definition }, tool) =>
        profiles.allows({ folderUri, server: definition.name, tool }),
      onDidChange: profiles.onDidChange,
    },
    // nobody sees what is not kept
    statistics: { count: (call) => statistics.isKept && statistics.count(call) },
    // nobody is there to be asked: the person who gives a client the token lets it call
    onError: (error) => io.writeError(`${oneLine(maskText(errorMessage(error)))}\n`),
  });
  const ended = onceEvent(gateway.onDidEnd);
  try {
    const { url, socket, tokens } = gateway;
    const { use: useToken, manage: manageToken } = tokens;
    const shown = { url, useToken, manageToken, socket, pid: process.pid };
    io.writeOut(flags.json ? `${JSON.stringify(shown)}\n` : textOf(shown));
    const inputEnds = new AbortController();
    await Promise.race([
      io.whenInputEnds(AbortSignal.any([io.signal, inputEnds.signal])),
      ended.then((reason) => {
        inputEnds.abort();
        if (reason === 'revoked') {
          io.writeError('Trust was revoked: the gateway has stopped.\n');
        }
      }),
    ]);
  } finally {
    await gateway.stop();
  }
}

function textOf(shown: Readonly<Record<string, string | number>>): string {
  const { url = '', useToken = '', manageToken = '', socket = '' } = shown;
  return [
    `Address: ${url}`,
    `Token of clients: ${useToken}`,
    `Token that also changes servers: ${manageToken}`,
    `Socket: ${socket}`,
    'It serves until you press Ctrl+C.',
    '',
  ].join('\n');
}
