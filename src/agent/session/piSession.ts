import { join } from 'node:path';
import type { SessionManager } from '@earendil-works/pi-coding-agent';
import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import { loadTokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { Logger } from '../../platform/ports.js';
import type { BuiltInCallsOptions } from '../builtIn/builtInCalls.js';
import { builtInNames, reservedToolNames } from '../builtIn/builtInTools.js';
import { shellName } from '../builtIn/shellCalls.js';
import { CompactionHold, type CompactionHoldParts } from '../context/compactionHold.js';
import type { RequestLimits } from '../context/requestLimits.js';
import { capResult } from '../context/resultCap.js';
import type { RetryWaits } from '../context/retryWaits.js';
import type { Models } from '../models/models.js';
import type { PiControls } from '../pi/controls.js';
import { disabledText } from '../pi/extensionReport.js';
import type { ExtensionUi } from '../pi/extensionUi.js';
import { copyExtensions, type FolderExtensions } from '../pi/folderExtensions.js';
import type { PiModel, PiSession, PiSettings, PiTool } from '../pi/piModule.js';
import { readPiSettings } from '../pi/piSettings.js';
import { loadResources, type ResourceParts } from '../pi/resourceLoader.js';
import { findUserExtensions, noExtensions, type UserExtensions } from '../pi/userExtensions.js';
import type { SessionMode } from '../policy/sessionMode.js';
import type { CallGate } from './callGate.js';
import { type Refusals, resendWithout } from './resendWithout.js';
import { type ConversationFileOptions, lastModel } from './stored/conversationFile.js';
import { CallTimes } from './times.js';

/** Of a conversation. */
export interface AgentSessionOptions
  extends BuiltInCallsOptions,
    Pick<ConversationFileOptions, 'place' | 'resume'> {
  readonly models: Models;
  /** Default: Pi's own choice from its settings. */
  readonly model?: PiModel;
  readonly service: McpService;
  readonly sessionDir: string;
  /** Disposed with the session. */
  readonly mode: SessionMode;
  readonly extensions: ExtensionPolicy;
  /** `model` lets the model name the conversation; anything else: its first request is its title. */
  readonly titles?: ObservableValue<string> | undefined;
}

/** What the user lets their own Pi extensions do here. */
export interface ExtensionPolicy {
  readonly isOn: ObservableValue<boolean>;
  readonly ui?: ExtensionUi;
}

export interface PiSessionParts extends Omit<CompactionHoldParts, 'model'> {
  readonly sessionManager: SessionManager;
  readonly builtIns: readonly string[];
  readonly createTools: (settings: PiSettings) => PiTool[];
  readonly connect: ResourceParts['connect'];
  /** Is asked after the extensions, so that what is approved is what they made of a call. */
  readonly gate: Pick<CallGate, 'pass'>;
  /** Gets to know what became of the extensions. */
  readonly controls: PiControls;
  /** What a request passes before it is sent, in this order. */
  readonly requests: {
    readonly limits: RequestLimits;
    readonly retries: RetryWaits;
    readonly refusals: Refusals;
  };
}

/** Says in the log what of the folder was not taken. */
export async function createPiSession(
  options: AgentSessionOptions,
  parts: PiSessionParts,
): Promise<PiSession> {
  const { pi, models, cwd, machine, isWorkspaceTrusted } = options;
  const { agentDir } = models;
  const model = models.find(lastModel(parts.sessionManager.getBranch())) ?? options.model;
  const countTokens = await loadTokenCounter();
  const times = new CallTimes(countTokens);
  const places = { agentDir, cwd, isFolderTrusted: isWorkspaceTrusted };
  const { sessionManager, builtIns, createTools, connect, gate, controls } = parts;
  const read = await readPiSettings(pi, places);
  const { settings, userSettings, refusedKeys, refusedFiles } = read;
  controls.rereadSettings = read.reread;
  const resourcePlaces = { ...places, homeDir: machine.environment.homeDir };
  const { note, ...found } = await findExtensions(options, read.packageSettings);
  const { loader, refused, extensions } = await loadResources(pi, resourcePlaces, {
    settings: userSettings,
    extensions: found,
    consented: note === undefined ? (one) => copyConsented(options, one) : undefined,
    isReserved: (tool) => reservedToolNames.includes(tool),
    connect,
    connectLast: (api) => {
      api.on('tool_call', async (call, { signal }) => {
        const blocked = await gate.pass(call, signal);
        if (!blocked) {
          times.start(call.toolCallId);
        }
        return blocked;
      });
      api.on('tool_result', ({ toolCallId, toolName, content, details }) => {
        const window = session.model?.contextWindow ?? Number.POSITIVE_INFINITY;
        const keeps = toolName === shellName(machine.environment) ? 'end' : 'beginning';
        const capped = capResult(content, { window, countTokens, keeps });
        return { content: [...capped], details: times.end(toolCallId, capped, details) ?? details };
      });
    },
  });
  controls.extensions = { ...extensions, note: note ?? extensions.note };
  const unloaded = extensions.left.map(({ name, reason }) => `${name}: ${reason}`);
  logRefused(options, refusedKeys, [...refusedFiles, ...refused, ...unloaded]);
  const { session } = await pi.createAgentSession({
    cwd,
    agentDir,
    modelRuntime: models.runtime,
    model,
    settingsManager: settings,
    resourceLoader: loader,
    sessionManager,
    customTools: createTools(settings),
    excludeTools: builtInNames.filter((name) => !builtIns.includes(name)),
  });
  const hold = new CompactionHold(settings, { ...parts, model: () => session.model });
  session.subscribe((event) => hold.follow(event));
  const { agent } = session;
  const { limits, retries, refusals } = parts.requests;
  const resending = resendWithout(agent.streamFunction, refusals);
  const waiting = retries.before(resending, read.retry);
  session.subscribe((event) => limits.follow(event));
  agent.streamFunction = limits.before(waiting);
  if (!session.model && models.first) {
    await session.setModel(models.first);
  }
  return session;
}

/** Resolves when nothing of it runs any more. Never rejects. */
export async function endPiSession(session: PiSession | undefined, logger: Logger): Promise<void> {
  const report = (error: unknown) => logger.log('warn', errorMessage(error));
  await session?.abort().catch(report);
  try {
    session?.dispose();
  } catch (error) {
    report(error);
  }
}

/** In Restricted Mode there are none: they run as the user, and may do what the folder says. */
async function findExtensions(
  { pi, cwd, models, isWorkspaceTrusted, extensions }: AgentSessionOptions,
  settings: PiSettings,
): Promise<UserExtensions & { readonly note?: string }> {
  if (!extensions.isOn.value || !isWorkspaceTrusted) {
    const note = extensions.isOn.value
      ? l10n.t('Your Pi extensions are not loaded in Restricted Mode.')
      : disabledText();
    return { ...noExtensions, note };
  }
  try {
    return await findUserExtensions(pi, { cwd, agentDir: models.agentDir }, settings);
  } catch (error) {
    const note = l10n.t('The extensions could not be loaded: {0}', errorMessage(error));
    return { ...noExtensions, note };
  }
}

/** Asks the gate with what was read, and runs nothing but that. */
async function copyConsented(
  { service, folderUri, sessionDir }: AgentSessionOptions,
  found: FolderExtensions,
): Promise<ReadonlyMap<string, string> | undefined> {
  const mayLoad = () =>
    folderUri !== undefined && service.trust.mayLoadExtensions(folderUri, found.hash);
  const copies = mayLoad()
    ? await copyExtensions(found, join(sessionDir, 'extensions'))
    : undefined;
  // it may have been revoked meanwhile
  return mayLoad() ? copies : undefined;
}

function logRefused(
  { machine, cwd }: AgentSessionOptions,
  settings: readonly string[],
  files: readonly string[],
): void {
  const logger = machine.loggers.main;
  if (settings.length > 0) {
    const keys = settings.map((key) => JSON.stringify(key)).join(', ');
    logger.log('info', `Not taken from ${cwd}/.pi/settings.json, as no folder may set it: ${keys}`);
  }
  for (const sentence of files) {
    logger.log('warn', sentence);
  }
}
