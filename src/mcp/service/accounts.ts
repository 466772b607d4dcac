import * as l10n from '@vscode/l10n';
import { HumanError, isHumanError } from '../../base/errors.js';
import { nameToken } from '../../base/text/nameToken.js';
import type {
  McpServerDefinition,
  McpServerId,
  ResolvedHttpLaunch,
} from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import type { LoggerProvider } from '../../config/ports.js';
import { createChangingMask, type MaskText } from '../../config/secrets/secretMask.js';
import type { EngineLoader, SignInOptions } from '../connection/session/engine.js';
import type { McpAccounts, McpServer, StoredAccount } from '../mcpApi.js';
import type { Authorizations } from '../oauth/authorizations.js';
import type { ServerAuthorization } from '../oauth/serverAuthorization.js';
import type { StoredAccounts } from '../oauth/storedAccounts.js';
import { isBlocked } from '../stateKinds.js';
import { blockedError } from '../trouble/trouble.js';

export interface AccountsOptions {
  readonly authorizations: Authorizations;
  readonly stored: StoredAccounts;
  readonly engine: EngineLoader;
  readonly loggers: LoggerProvider;
  readonly getServer: (id: McpServerId) => AccountServer | undefined;
  /** The trust gate: without it nothing of the entry is read and nobody is addressed. */
  readonly mayReach: (definition: McpServerDefinition) => boolean;
  /** As the user is to read it. */
  readonly nameOf: (definition: McpServerDefinition) => string;
  /** Variables resolved. @throws {HumanError}; `undefined` for a process. */
  readonly resolve: (
    definition: McpServerDefinition,
    signal: AbortSignal,
  ) => Promise<ResolvedHttpLaunch | undefined>;
}

export interface AccountServer extends McpServer {
  /** Forgets what it has listed for the account alone. */
  forgetPrivate(): void;
}

interface OpenAccount {
  readonly authorization: ServerAuthorization;
  readonly launch: ResolvedHttpLaunch;
}

/** What the user does about the accounts that servers are used with. */
export class Accounts implements McpAccounts {
  readonly onDidChange: McpAccounts['onDidChange'];

  constructor(private readonly options: AccountsOptions) {
    this.onDidChange = options.stored.onDidChange;
  }

  stored(id: McpServerId): StoredAccount {
    return this.options.stored.of(id);
  }

  async signIn(id: McpServerId, signal = new AbortController().signal): Promise<void> {
    const server = this.server(id);
    assertMayRun(server);
    const account = await this.openAccount(server.definition, signal);
    const { authorization, launch } = account;
    const engine = await this.options.engine(launch);
    if (!engine.signIn) {
      throw noAccount(server.definition.name);
    }
    signal.throwIfAborted();
    // the wait for the files of the variables may have taken the consent away
    assertMayRun(server);
    const mask = maskOf(account);
    const onNotice = this.maskedLog(server.definition, mask);
    try {
      await engine.signIn(launch, { authorization, signal, onNotice });
    } catch (error) {
      authorization.hasNoSignIn &&= isHumanError(error) && error.code === 'sign_in_failed';
      if (authorization.hasNoSignIn) {
        // its state says from then on what helps instead
        await server.restart();
      }
      throw isHumanError(error) ? maskError(error, mask) : error;
    }
    await server.restart();
  }

  async signOut(id: McpServerId): Promise<void> {
    await this.disconnect(this.server(id));
    await this.options.authorizations.forgetTokens(id);
    await this.options.stored.refresh(id);
  }

  async forgetClient(id: McpServerId): Promise<void> {
    await this.disconnect(this.server(id));
    await this.options.authorizations.forget(id);
    await this.options.stored.refresh(id);
  }

  /** Disconnects and gives the tokens back, as far as the server may be reached. */
  private async disconnect(server: AccountServer): Promise<void> {
    const { engine: loadEngine, mayReach } = this.options;
    const { signal } = new AbortController();
    // tokens have to go although the entry cannot be resolved or has credentials of its own by now
    const account = mayReach(server.definition)
      ? await this.openAccount(server.definition, signal).catch(() => undefined)
      : undefined;
    await server.stop();
    server.forgetPrivate();
    if (!account) {
      return;
    }
    const { authorization, launch } = account;
    const onNotice = this.maskedLog(server.definition, maskOf(account));
    const engine = await loadEngine(launch);
    // the waits since may have taken the consent away
    if (mayReach(server.definition)) {
      await engine.revokeTokens?.(launch, { authorization, signal, onNotice });
    }
  }

  private maskedLog(definition: McpServerDefinition, mask: MaskText): SignInOptions['onNotice'] {
    const logger = this.options.loggers.forServer(definition);
    return (level, message) => logger.log(level, mask(message));
  }

  private server(id: McpServerId): AccountServer {
    const server = this.options.getServer(id);
    if (!server) {
      throw serverUnknown();
    }
    return server;
  }

  private async openAccount(
    definition: McpServerDefinition,
    signal: AbortSignal,
  ): Promise<OpenAccount> {
    const launch = await this.options.resolve(definition, signal);
    const { id, name } = definition;
    const authorization =
      launch && this.options.authorizations.forServer(id, this.options.nameOf(definition), launch);
    if (!launch || !authorization) {
      throw noAccount(name);
    }
    return { authorization, launch };
  }
}

function assertMayRun({ state: { value: state } }: McpServer): void {
  if (isBlocked(state)) {
    throw blockedError(state);
  }
}

/** Authorization servers may repeat what they were sent. */
function maskOf({ launch, authorization }: OpenAccount): MaskText {
  return createChangingMask(() => [...launch.secrets, ...authorization.credentials.secretValues]);
}

function maskError({ code, message, remedy }: HumanError, mask: MaskText): HumanError {
  return new HumanError(code, mask(message), remedy === undefined ? {} : { remedy: mask(remedy) });
}

function noAccount(name: string): HumanError {
  return new HumanError(
    'no_account',
    l10n.t('This server is not used with an account: {0}', nameToken(name)),
    {
      remedy: l10n.t('Only remote servers without a header or token of their own are.'),
    },
  );
}
