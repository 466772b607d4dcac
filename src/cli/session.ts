import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from '../../package.json';
import { raceWithSignal } from '../base/async/cancellation.js';
import { toDisposable } from '../base/disposable.js';
import { HumanError, withRemedy } from '../base/errors.js';
import { isSwitchedOn } from '../base/isSwitchedOn.js';
import { quotedName } from '../base/text/nameToken.js';
import { oneLine } from '../base/text/plainText.js';
import type { FileProblem, WorkspaceFolder } from '../config/definition.js';
import { serverUnknown } from '../config/errors.js';
import { piAgentDir } from '../config/parse/configLocations.js';
import { type LoggerProvider, nullLoggers, type Workspace } from '../config/ports.js';
import { maskText } from '../config/secrets/secretMask.js';
import { CallFiles, callLogDirectory } from '../mcp/callLog/callFiles.js';
import { loadEngine } from '../mcp/connection/engineSelection.js';
import type { McpServer, McpService } from '../mcp/mcpApi.js';
import { createMcpCore } from '../mcp/service/mcpCore.js';
import { firstUsable, isBlocked } from '../mcp/stateKinds.js';
import { blockedError } from '../mcp/trouble/trouble.js';
import { createNodeHostEnvironment } from '../platform/environment/nodeHostEnvironment.js';
import { isFolder } from '../platform/folderPath.js';
import { NodeFileWatcher } from '../platform/nodeFileWatcher.js';
import { type HostEnvironment, type Logger, nullLogger } from '../platform/ports.js';
import { pathOnDisk } from '../platform/realPath.js';
import { FileSecrets } from './account/fileSecrets.js';
import { createCliPrompt } from './account/prompt.js';
import type { CliFlags } from './arguments.js';
import { type CliIo, noServers } from './cliTypes.js';
import { readInputs } from './inputs.js';

/** The core, ready, for one command. */
export interface CliSession {
  readonly service: McpService;
  readonly flags: CliFlags;
  readonly io: CliIo;
  readonly folder: WorkspaceFolder;
  readonly folderUri: string;
  /** Aborts on interruption. */
  readonly signal: AbortSignal;
  /** What the command is about: every server, or the one of `--server`. */
  readonly servers: readonly McpServer[];
  readonly environment: HostEnvironment;
  /** Where the command line keeps accounts, consent and choices of the user. Absolute. */
  readonly accountsDir: string;
  /** Of the file that holds the accounts. */
  readonly accountsPath: string;
  /** Of the log of calls. */
  readonly callFiles: CallFiles;
  /** Value of `MCP_DIRECT_TOOLS`. */
  readonly directTools: string | undefined;
}

interface SessionOptions {
  readonly isWatching?: boolean;
  readonly isServing?: boolean;
  readonly mayBeGone?: boolean;
  readonly tellsFaults?: boolean;
}

/**
 * @param options.isWatching the files are read again when they change. Default: they are read once.
 * @param options.isServing starts what a window would, without waiting for it. Default: servers start when they are used.
 * @param options.mayBeGone the folder need not exist. Default: it has to.
 * @param options.tellsFaults says which files cannot be used. Default: whoever asks says it, or nobody.
 * @throws {HumanError} with code `usage`, `configuration` or `server_unknown`.
 */
export async function startCli(
  flags: CliFlags,
  io: CliIo,
  { isWatching = false, isServing = false, mayBeGone = false, tellsFaults }: SessionOptions = {},
): Promise<CliSession> {
  // one folder has one record of trust, in whatever case somebody types its path
  const path = await pathOnDisk(resolve(io.cwd, flags.folder));
  if (!mayBeGone && !(await isFolder(path))) {
    throw new HumanError('usage', `The folder "${path}" does not exist.`, {
      remedy: 'Correct "--folder".',
    });
  }
  const config = await configFile(flags, io);
  const inputs = await readInputs(flags, io.cwd);
  const folderUri = pathToFileURL(path).toString();
  const folder = { uri: folderUri, name: basename(path), fsPath: path };
  const environment = createNodeHostEnvironment(hostOptions(flags, io));
  const accountsDir = join(piAgentDir(environment), 'pi-mcp');
  const accounts = new FileSecrets(accountsDir);
  const callFiles = new CallFiles(callLogDirectory(environment));
  const keepDays = await callFiles.readKeepDays();
  const service = createMcpCore({
    machine: {
      workspace: fixedWorkspace(folder),
      environment,
      // most commands read the files once
      watcher: isWatching ? new NodeFileWatcher() : { watch: () => toDisposable(() => undefined) },
      loggers: consoleLoggers(io),
    },
    places: {
      trust: accountsDir,
      // what is trusted for one run is remembered for none
      definitions: flags.trust ? undefined : join(accountsDir, 'definitions'),
      accounts: accountsDir,
      accountLocks: join(accountsDir, 'locks'),
      processes: join(accountsDir, 'processes'),
    },
    user: {
      inputs,
      authorizationPrompt: ({ oauth }) => createCliPrompt(flags, io, oauth?.redirectUrl),
      // whoever has caused a question answers it
      features: isServing ? async () => ({ relays: true }) : undefined,
      onNotice: (sentence) => io.writeError(`${oneLine(sentence)}\n`),
    },
    globalConfigPath: () => config,
    callLog: { files: callFiles, keepDays: () => keepDays },
    secrets: accounts,
    engine: loadEngine,
    startPolicy: isServing ? 'connect' : 'manual',
    clientVersion: version,
    consentOverride: () => flags.trust,
  });
  try {
    await raceWithSignal(service.whenRead(), io.signal);
    for (const fault of tellsFaults ? unusableParts(service) : []) {
      io.writeError(`${oneLine(maskText(fileProblemLine(fault)))}\n`);
    }
    return {
      service,
      flags,
      io,
      folder,
      folderUri,
      signal: io.signal,
      environment,
      accountsDir,
      accountsPath: accounts.path,
      callFiles,
      servers: select(service, folderUri, flags),
      directTools: io.env.MCP_DIRECT_TOOLS,
    };
  } catch (error) {
    await service.shutdown();
    throw error;
  }
}

/** All servers as the folder has them. */
function select(service: McpService, folderUri: string, flags: CliFlags): readonly McpServer[] {
  const inFolder = new Map(service.serversFor(folderUri).map((server) => [server.id, server]));
  const servers = service.servers.map((server) => inFolder.get(server.id) ?? server);
  if (flags.server === undefined) {
    return servers;
  }
  const named = servers.filter(({ definition }) => definition.name === flags.server);
  if (named.length === 0) {
    throw unknownOf(flags.server, servers);
  }
  return named;
}

/**
 * A folder's server goes before a global one of its name, as for the agent, unless it may not run.
 * @throws {HumanError} with code `server_unknown`.
 */
export function findServer({ service, folderUri }: CliSession, name: string): McpServer {
  const server = firstUsable(service.serversFor(folderUri, name));
  if (!server) {
    throw unknownOf(name, service.servers);
  }
  return server;
}

/** As {@link findServer}, of what may run. @throws {HumanError} that says how it may. */
export function findUsable(session: CliSession, name: string): McpServer {
  const server = findServer(session, name);
  if (isBlocked(server.state.value)) {
    throw blockedError(server.state.value, 'console');
  }
  return server;
}

function fixedWorkspace(folder: Workspace['folders'][number]): Workspace {
  const never = () => toDisposable(() => undefined);
  // who runs the CLI in a folder is there on purpose; consent is still asked for
  return { folders: [folder], isTrusted: true, onDidChangeFolders: never, onDidChangeTrust: never };
}

/** What `--config` is in the environment. */
const configVariable = 'MCP_CONFIG';

const placeVariables = [
  'PI_CODING_AGENT_DIR',
  'FORGE_DATA_DIR',
  'PILOT_DIR',
  'XDG_CONFIG_HOME',
  'CODEX_HOME',
  'COPILOT_HOME',
];

/** With `--home`, variables that point to other places of the user's files do not count. */
function hostOptions({ home }: CliFlags, { env, cwd }: CliIo) {
  if (home === undefined) {
    return { env };
  }
  const rest = Object.entries(env).filter(([name]) => !placeVariables.includes(name));
  return { env: Object.fromEntries(rest), homeDir: resolve(cwd, home) };
}

/** A typing error must not look like a user without servers. */
async function configFile({ config }: CliFlags, io: CliIo): Promise<string | undefined> {
  const named = config ?? (io.env[configVariable] || undefined);
  const path = named === undefined ? undefined : resolve(io.cwd, named);
  if (path !== undefined && !(await isFile(path))) {
    throw new HumanError('usage', `The file "${path}" does not exist.`, {
      remedy: `Correct "${config === undefined ? configVariable : '--config'}".`,
    });
  }
  return path;
}

/** The logs of servers that are debugged, as they come, with what these write to stderr. */
function consoleLoggers(io: CliIo): LoggerProvider {
  const areAllDebugged = isSwitchedOn(io.env.PI_MCP_LOADER_DEBUG);
  return {
    ...nullLoggers,
    forServer: (definition) =>
      areAllDebugged || definition.options.debug ? consoleLogger(definition.name, io) : nullLogger,
  };
}

function consoleLogger(server: string, io: CliIo): Logger {
  return {
    log: (level, message) =>
      io.writeError(`${oneLine(`${server}: [${level}] ${maskText(message)}`)}\n`),
  };
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** What of the configuration files cannot be used. */
export function unusableParts({ pools }: McpService): readonly FileProblem[] {
  const found = pools.flatMap(({ fileProblems }) => fileProblems);
  return found.filter(({ problem }) => problem.severity === 'error');
}

/** Begins with the file. */
export function fileProblemLine({ path, problem }: FileProblem): string {
  const text = withRemedy(problem.message, problem.remedy);
  return text.startsWith(path) ? text : `${path}: ${text}`;
}

export function unknownOf(name: string, known: readonly McpServer[]): HumanError {
  const names = known.map(({ definition }) => quotedName(definition.name)).join(', ');
  return serverUnknown(name, names === '' ? noServers : `Known servers: ${names}.`);
}
