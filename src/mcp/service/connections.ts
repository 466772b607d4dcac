/** What connects servers and signs in to them. */
import { linkSignals, raceWithSignal } from '../../base/async/cancellation.js';
import { addAll } from '../../base/lists.js';
import type { McpServerDefinition, ResolvedLaunch } from '../../config/definition.js';
import type { TransferHooks } from '../../config/edit/serverTransfer.js';
import { launchHash } from '../../config/launch/launchHash.js';
import { expandTilde } from '../../config/launch/places.js';
import { resolveLaunch, resolveTexts } from '../../config/launch/resolveLaunch.js';
import { nameInWindow } from '../../config/nameInWindow.js';
import type { InputResolver, Machine } from '../../config/ports.js';
import type { Clock } from '../../platform/clock.js';
import type { SecretStore } from '../../platform/ports.js';
import { BundleStore } from '../bundles/bundleStore.js';
import { openConnection } from '../connection/mcpConnection.js';
import { ProtocolVerdicts } from '../connection/protocolVerdicts.js';
import type { ClientFeatures } from '../connection/session/clientFeatures.js';
import type { EngineLoader } from '../connection/session/engine.js';
import { StartSlots } from '../connection/startSlots.js';
import { AccountChoices } from '../oauth/accountChoices.js';
import { Authorizations, type CreatePrompt } from '../oauth/authorizations.js';
import { StoredAccounts } from '../oauth/storedAccounts.js';
import { settleRoots } from '../server/folderRoots.js';
import type { ReviewSkill } from '../server/loadSkill.js';
import type { Connector } from '../server/serverPorts.js';
import { Traffic } from '../traffic/recording.js';
import { blockedError } from '../trouble/trouble.js';
import type { TrustGate } from '../trust/trustGate.js';
import { type AccountServers, Accounts } from './accounts.js';
import type { CorePlaces } from './corePlaces.js';
import type { Processes } from './processes.js';
import { type Answers, createTransferHooks } from './transferHooks.js';

export interface ConnectionsOptions {
  readonly machine: Machine;
  readonly places: CorePlaces;
  readonly engine: EngineLoader;
  readonly user: UserPort;
  readonly clientVersion: string;
  /** Whether the logs show every message of every server. Default: only of those with `debug`. */
  readonly isTrafficTraced?: () => boolean;
}

/** What is asked of the user on behalf of servers, or told to them. */
export interface UserPort {
  /** Takes the user to an authorization server. Default: nobody can sign in. */
  readonly authorizationPrompt?: CreatePrompt | undefined;
  /** What a server may ask of us beside the workspace's folders. Default: nothing. */
  readonly features?:
    | ((
        definition: McpServerDefinition,
      ) => ClientFeatures | undefined | Promise<ClientFeatures | undefined>)
    | undefined;
  readonly inputs: InputResolver;
  /** The answers that are kept, which go along with a server that moves. Default: none are. */
  readonly answers?: Answers;
  /** Shows a skill of a server to the user, who lets it be used or not. Default: no new skill is used. */
  readonly reviewSkill?: ReviewSkill | undefined;
  /** Gets what the user should know of a change that was asked for, as a sentence. Default: nobody reads it. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

export interface ConnectionsParts {
  readonly gate: TrustGate;
  readonly clock: Clock;
  readonly secrets: SecretStore;
  readonly getServer: AccountServers['get'];
  readonly processes: Processes;
}

export interface Connections {
  readonly connector: Connector;
  readonly accounts: Accounts;
  readonly traffic: Traffic;
  readonly transferHooks: TransferHooks;
}

export function createConnections(
  options: ConnectionsOptions,
  parts: ConnectionsParts,
): Connections {
  const { machine, places, user } = options;
  const { environment, workspace, watcher, loggers } = machine;
  const { gate, clock, secrets, getServer, processes } = parts;
  const choices = new AccountChoices(
    { directory: places.accounts, watcher, logger: loggers.main },
    workspace,
  );
  const authorizations = new Authorizations({
    secrets,
    clock,
    choices,
    prompt: user.authorizationPrompt,
    lockDir: places.accountLocks,
  });
  const traffic = new Traffic(clock);
  return {
    connector: createConnector(options, { processes, authorizations, gate, traffic }),
    accounts: new Accounts({
      authorizations,
      stored: new StoredAccounts(secrets),
      choices,
      engine: options.engine,
      loggers,
      servers: {
        get: getServer,
        mayReach: (definition) => gate.check(definition).allowed,
        nameOf: (definition) => nameInWindow(definition, workspace.folders),
        resolve: async (definition, signal) => {
          const launch = await resolveWhileAllowed(definition, options, { gate, signal });
          return launch.kind === 'http' ? launch : undefined;
        },
      },
    }),
    traffic,
    transferHooks: createTransferHooks({
      onNotice: user.onNotice,
      homeDir: environment.homeDir,
      bundles: new BundleStore(environment),
      gate,
      authorizations,
      answers: user.answers,
    }),
  };
}

function resolve(
  definition: McpServerDefinition,
  options: ConnectionsOptions,
  signal: AbortSignal,
): Promise<ResolvedLaunch> {
  const { environment } = options.machine;
  const { inputs } = options.user;
  return resolveLaunch(definition, { environment, inputs, signal });
}

/** A question for one value may stay open for long: what the others read or run waits for consent that is still given. */
async function resolveWhileAllowed(
  definition: McpServerDefinition,
  options: ConnectionsOptions,
  { gate, signal }: { readonly gate: TrustGate; readonly signal: AbortSignal },
): Promise<ResolvedLaunch> {
  const withdrawn = new AbortController();
  const watch = gate.onDidChange(() => {
    const verdict = gate.check(definition);
    if (!verdict.allowed) {
      withdrawn.abort(blockedError({ kind: 'trust_required', reason: verdict.reason }));
    }
  });
  const linked = linkSignals(signal, withdrawn.signal);
  try {
    return await resolve(definition, options, linked.signal);
  } finally {
    watch.dispose();
    linked.dispose();
  }
}

/** With what must be masked beside the secrets of the launch. */
async function findRoots(
  definition: McpServerDefinition,
  launch: ResolvedLaunch,
  options: ConnectionsOptions,
  signal: AbortSignal,
): Promise<{
  readonly roots: ClientFeatures['roots'];
  readonly secrets: readonly string[];
}> {
  const { environment, workspace, loggers } = options.machine;
  const { inputs } = options.user;
  const secrets: string[] = [];
  const roots = await settleRoots(definition, launch, {
    workspace,
    homeDir: environment.homeDir,
    resolve: async (asking, written) => {
      const places = written.map((text, index) => ({ field: `roots[${index}]`, text }));
      const found = await resolveTexts(asking, places, { environment, inputs, signal });
      addAll(secrets, found.secrets);
      return found.texts.map((text) => expandTilde(text, environment.homeDir));
    },
    onRefused: (sentences) => loggers.forServer(definition).log('warn', sentences),
  });
  return { roots, secrets };
}

function createConnector(
  options: ConnectionsOptions,
  parts: {
    readonly processes: Processes;
    readonly authorizations: Authorizations;
    readonly gate: TrustGate;
    readonly traffic: Traffic;
  },
): Connector {
  const { processes, authorizations, gate, traffic } = parts;
  const { tree, ledger } = processes;
  const verdicts = new ProtocolVerdicts(options.places.protocolVerdicts);
  const { machine, clientVersion, user } = options;
  const { environment, loggers, workspace } = machine;
  const { inputs } = user;
  const installs = new StartSlots(1);
  return async (definition, attempt) => {
    const { signal, slot, assertAllowed, isDebugged, logAudience, stopGraceMs, onDidChangeNote } =
      attempt;
    // a question for a value may stay open for ever: it takes no slot and does not keep a server from being stopped
    const resolved = await raceWithSignal(resolve(definition, options, signal), signal);
    const { roots, secrets } = await raceWithSignal(
      findRoots(definition, resolved, options, signal),
      signal,
    );
    const launch = { ...resolved, secrets: [...resolved.secrets, ...secrets] };
    if (launch.kind === 'stdio') {
      await raceWithSignal(processes.sweep(), signal);
    }
    await slot.take(signal);
    // what is tried out asks nobody, and nothing is remembered of it
    const isOnce = gate.isAgreedOnce(definition);
    const features = isOnce ? undefined : await user.features?.(definition);
    assertAllowed();
    const name = nameInWindow(definition, workspace.folders);
    const authorization =
      launch.kind === 'http' ? authorizations.forServer(definition.id, name, launch) : undefined;
    if (attempt.isAsked) {
      authorization?.renewals.allow();
    }
    return openConnection(launch, {
      engineLoader: async () => {
        // the last wait before the process is spawned or the server is addressed
        const engine = await options.engine(launch);
        assertAllowed();
        return engine;
      },
      environment,
      clientInfo: { name: 'pi-mcp', version: clientVersion },
      logger: loggers.forServer(definition),
      connectTimeoutMs: definition.options.startupTimeoutMs,
      onDidStart: () => slot.release(),
      installs,
      onDidChangeNote,
      isDebugged,
      logAudience,
      openTap: (kind, mask) => traffic.of(definition.id).open(kind, mask),
      isTrafficTraced: () => isDebugged() || (options.isTrafficTraced?.() ?? false),
      signal,
      stopGraceMs,
      tree,
      ledger,
      mayLeaveProcesses: definition.scope === 'global',
      folder: definition.folder?.fsPath,
      assertDescribed: (facts) => gate.assertDescribed(definition, facts),
      features: { roots, ...features },
      resolveTexts: (written, asked) =>
        resolveTexts(definition, written, { environment, inputs, signal: asked ?? signal }),
      protocolVerdict:
        definition.launch && !isOnce ? verdicts.for(launchHash(definition.launch)) : undefined,
      authorization,
    });
  };
}
