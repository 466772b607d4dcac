import type { SessionManager } from '@earendil-works/pi-coding-agent';
import type { HostEnvironment, Logger } from '../../platform/ports.js';
import { builtInNames } from '../builtIn/builtInTools.js';
import type { Models } from '../models/models.js';
import type {
  PiExtensionApi,
  PiModel,
  PiModule,
  PiSession,
  PiSettings,
  PiTool,
} from '../pi/piModule.js';
import { readPiSettings } from '../pi/piSettings.js';
import { loadResources } from '../pi/resourceLoader.js';
import { type Refusals, resendWithout } from './resendWithout.js';

export interface PiSessionOptions {
  readonly pi: PiModule;
  readonly models: Models;
  readonly cwd: string;
  readonly agentDir: string;
  readonly isWorkspaceTrusted: boolean;
  readonly environment: HostEnvironment;
  readonly logger: Logger;
}

export interface PiSessionParts {
  readonly sessionManager: SessionManager;
  readonly model: PiModel | undefined;
  readonly builtIns: readonly string[];
  readonly createTools: (settings: PiSettings) => PiTool[];
  /** Gets the interface of the extension that every session has. */
  readonly connect: (api: PiExtensionApi) => void;
  readonly refusals: Refusals;
}

/** Says in the log what of the folder was not taken. */
export async function createPiSession(
  options: PiSessionOptions,
  { sessionManager, model, builtIns, createTools, connect, refusals }: PiSessionParts,
): Promise<PiSession> {
  const { pi, models, cwd, agentDir, environment, isWorkspaceTrusted } = options;
  const places = { agentDir, cwd, isFolderTrusted: isWorkspaceTrusted };
  const { settings, userSettings, refusedKeys, refusedFiles } = await readPiSettings(pi, places);
  const resourcePlaces = { ...places, homeDir: environment.homeDir };
  const { loader, refused } = await loadResources(pi, resourcePlaces, userSettings, connect);
  logRefused(options, refusedKeys, [...refusedFiles, ...refused]);
  const { session } = await pi.createAgentSession({
    cwd,
    agentDir,
    modelRuntime: models.runtime,
    ...(model && { model }),
    settingsManager: settings,
    resourceLoader: loader,
    sessionManager,
    customTools: createTools(settings),
    excludeTools: builtInNames.filter((name) => !builtIns.includes(name)),
  });
  const { agent } = session;
  agent.streamFunction = resendWithout(agent.streamFunction, refusals);
  return session;
}

function logRefused(
  { logger, cwd }: PiSessionOptions,
  settings: readonly string[],
  files: readonly string[],
): void {
  if (settings.length > 0) {
    const keys = settings.map((key) => JSON.stringify(key)).join(', ');
    logger.log('info', `Not taken from ${cwd}/.pi/settings.json, as no folder may set it: ${keys}`);
  }
  for (const sentence of files) {
    logger.log('warn', sentence);
  }
}
