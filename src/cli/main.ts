import * as http from 'node:http';
import type { ErrorCode } from '../base/errorCodes.js';
import { errorMessage, HumanError, isHumanError, withRemedy } from '../base/errors.js';
import { jsonText, oneLine, terminalText } from '../base/text/plainText.js';
import { createMask, maskDocument, maskText } from '../config/secrets/secretMask.js';
import { secretsOfServers } from '../mcp/service/serverSecrets.js';
import { runLogin, runLogout } from './account/login.js';
import { type CliArguments, type CliFlags, parseArguments, readPlaces } from './arguments.js';
import { runCall } from './call.js';
import { type CliIo, type CliResult, type ExitCode, exitCodes } from './cliTypes.js';
import { runRevoke, runTrust } from './consent/trust.js';
import { runDoctor } from './doctor.js';
import { runAddBundle } from './edit/addBundle.js';
import { runAdd, runRemove, runSwitch, runTransfer } from './edit/change.js';
import { runExport } from './edit/export.js';
import { runGet } from './edit/get.js';
import { runImport } from './edit/import.js';
import { runGateway } from './gateway.js';
import { runList } from './list.js';
import { runLog } from './log.js';
import { runMock } from './mock.js';
import { completeWords } from './options/completion.js';
import { helpText } from './options/help.js';
import { runProbe } from './probe.js';
import { type CliSession, startCli } from './session.js';
import { runProfileList, runProfileUse } from './tools/profileCommands.js';
import { runSearch, runTools } from './tools/tools.js';

/** Commands that need no session, or answer by themselves. */
type SimpleKind = 'help' | 'completion' | 'complete' | 'gateway' | 'mock';

/** Nothing was tried: what was asked for is not there. */
const usageCodes: ReadonlySet<ErrorCode> = new Set([
  'usage',
  'configuration',
  'server_unknown',
  'server_ambiguous',
]);

/** Runs one command; resolves, with no process left behind, with the exit status. */
export async function main(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  const isJson = optionsOf(argv).includes('--json');
  try {
    const { command, flags } = parseArguments(argv, io.cwd);
    if (command.kind === 'help') {
      io.writeOut(helpText(command.about));
      return exitCodes.ok;
    }
    if (command.kind === 'completion') {
      const { script } = command;
      io.writeOut(flags.json ? `${jsonText({ script })}\n` : script);
      return exitCodes.ok;
    }
    if (command.kind === 'complete') {
      const words = await completeWords(command.words, () => serverNames(command.words, flags, io));
      io.writeOut(words.map((word) => `${word}\n`).join(''));
      return exitCodes.ok;
    }
    if (command.kind === 'mock') {
      await runMock(command, flags, io);
      return exitCodes.ok;
    }
    useEnvironmentProxy(io.env);
    // consent for one run must not reach what the files say later
    const isServing = command.kind === 'gateway';
    const isWatching = isServing && !flags.trust;
    // a record of consent, or of calls, outlives its folder and its servers
    const mayBeGone = command.kind === 'revoke' || command.kind === 'log';
    // one of another program is not here yet
    const isOthers = command.kind === 'log' || command.kind === 'import';
    const about = isOthers ? { ...flags, server: undefined } : flags;
    const tellsFaults = command.kind !== 'list' && command.kind !== 'doctor';
    const session = await startCli(about, io, { isWatching, isServing, mayBeGone, tellsFaults });
    try {
      if (command.kind === 'gateway') {
        await runGateway(session, command.port);
        return exitCodes.ok;
      }
      const found = await run(session, command);
      // the answer of a tool is what was asked for, as the tool gave it
      const result = command.kind === 'call' ? found : maskResult(session, found);
      io.writeOut(flags.json ? `${jsonText(result.document)}\n` : terminalText(result.text));
      return result.status;
    } finally {
      await session.service.shutdown();
    }
  } catch (error) {
    return reportFailure(error, isJson, io);
  }
}

/** In the folder that the words name; nothing where they are not understood. */
async function serverNames(
  words: readonly string[],
  flags: CliFlags,
  io: CliIo,
): Promise<readonly string[]> {
  try {
    const session = await startCli({ ...flags, ...readPlaces(words) }, io);
    try {
      return [...new Set(session.service.servers.map(({ definition }) => definition.name))];
    } finally {
      await session.service.shutdown();
    }
  } catch {
    // such as a folder that is not there: then there is nothing to complete
    return [];
  }
}

function run(
  session: CliSession,
  command: Exclude<CliArguments['command'], { readonly kind: SimpleKind }>,
): Promise<CliResult> {
  switch (command.kind) {
    case 'list':
      return runList(session);
    case 'probe':
      return runProbe(session);
    case 'tools':
      return runTools(session);
    case 'profile-list':
      return runProfileList(session);
    case 'profile-use':
      return runProfileUse(session, command.name);
    case 'log':
      return runLog(session, command);
    case 'search':
      return runSearch(session, command.query);
    case 'call':
      return runCall(session, command);
    case 'login':
      return runLogin(session, command);
    case 'logout':
      return runLogout(session, command);
    case 'doctor':
      return runDoctor(session);
    case 'trust':
      return runTrust(session, command.servers);
    case 'revoke':
      return runRevoke(session);
    case 'get':
      return runGet(session, command.server);
    case 'add':
    case 'add-json':
      return runAdd(session, command.added);
    case 'add-bundle':
      return runAddBundle(session, command);
    case 'import':
      return runImport(session, command);
    case 'export':
      return runExport(session, command.client, command.servers);
    case 'move':
    case 'copy':
      return runTransfer(session, command.server, command.target, command.kind === 'copy');
    case 'remove':
      return runRemove(session, command.server);
    case 'enable':
      return runSwitch(session, command.server, true);
    case 'disable':
      return runSwitch(session, command.server, false);
  }
}

/** What stands behind `--` belongs to somebody else. */
function optionsOf(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

function reportFailure(error: unknown, isJson: boolean, io: CliIo): ExitCode {
  const remedy = isHumanError(error) ? error.remedy : undefined;
  const code = isHumanError(error) ? error.code : 'failed';
  const message = io.signal.aborted ? 'Interrupted.' : maskText(errorMessage(error));
  if (isJson) {
    io.writeOut(`${jsonText({ error: { code, message, remedy } })}\n`);
  }
  io.writeError(`${oneLine(withRemedy(message, remedy))}\n`);
  return usageCodes.has(code) ? exitCodes.usage : exitCodes.failed;
}

const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];

/**
 * Reaches remote servers through the proxy of the environment (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`), which Node
 * ignores by itself. No effect before Node 24.14, which cannot.
 * @throws {HumanError} with code `configuration`.
 */
function useEnvironmentProxy(env: CliIo['env']): void {
  if (!variables.some((name) => env[name])) {
    return;
  }
  try {
    const { setGlobalProxyFromEnv }: Partial<typeof http> = http;
    setGlobalProxyFromEnv?.({ ...env });
  } catch {
    // the error may show the address, and with it a password
    throw new HumanError('configuration', 'The proxy of the environment is not valid.', {
      remedy: 'Correct HTTP_PROXY and HTTPS_PROXY: they take http:// addresses.',
    });
  }
}

/** The last look at what is printed: nothing of what the configuration keeps secret is in it, wherever it came from. */
function maskResult(
  { service, environment }: CliSession,
  { document, text, status }: CliResult,
): CliResult {
  const mask = createMask(secretsOfServers(service, environment));
  return { document: maskDocument(document, mask), text: mask(text), status };
}
