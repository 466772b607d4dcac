import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { HumanError, isHumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { nameToken } from '../../base/text/nameToken.js';
import type {
  McpServerDefinition,
  McpServerId,
  ResolvedHttpLaunch,
} from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import type { LoggerProvider } from '../../config/ports.js';
import { createChangingMask, type MaskText } from '../../config/secrets/secretMask.js';
import { usesAccount } from '../accountUse.js';
import type { EngineLoader, SignInOptions } from '../connection/session/engine.js';
import type { McpAccounts, McpServer, ServerAccount } from '../mcpApi.js';
import type { AccountChoices } from '../oauth/accountChoices.js';
import type { Authorizations } from '../oauth/authorizations.js';
import type { ServerAuthorization } from '../oauth/serverAuthorization.js';
import type { StoredAccounts } from '../oauth/storedAccounts.js';
import { type AccountId, accountId, serverOfAccount } from '../oauth/storedCredentials.js';
import { isBlocked } from '../stateKinds.js';
import { blockedError } from '../trouble/trouble.js';

export interface AccountsOptions {
  readonly authorizations: Authorizations;
  readonly stored: StoredAccounts;
  readonly choices: AccountChoices;
  readonly engine: EngineLoader;
  readonly loggers: LoggerProvider;
  readonly servers: AccountServers;
}

/** Those that the accounts are of. */
export interface AccountServers {
  get(id: McpServerId): AccountServer | undefined;
  /** The trust gate: without it nothing of the entry is read and nobody is addressed. */
  mayReach(definition: McpServerDefinition): boolean;
  /** As the user is to read it. */
  nameOf(definition: McpServerDefinition): string;
  /** Variables resolved. @throws {HumanError}; `undefined` for a process. */
  resolve(
    definition: McpServerDefinition,
    signal: AbortSignal,
  ): Promise<ResolvedHttpLaunch | undefined>;
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
export class Accounts implements McpAccounts, Disposable {
  private readonly changeEmitter = new Emitter<McpServerId>();
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: AccountsOptions) {
    options.stored.onDidChange((account) => this.changeEmitter.fire(serverOfAccount(account)));
  }

  /** Reads which account is used where. Never rejects. */
  start(): Promise<void> {
    return this.options.choices.start();
  }

  dispose(): void {
    this.options.stored.dispose();
    this.options.choices.dispose();
    this.changeEmitter.dispose();
  }

  stored(id: McpServerId): ServerAccount {
    const { stored, choices } = this.options;
    return { ...stored.of(this.used(id)), name: choices.used(id), names: choices.names(id) };
  }

  async use(id: McpServerId, name: string | undefined): Promise<void> {
    const server = this.server(id);
    const { definition } = server;
    if (!usesAccount(definition.launch)) {
      throw noAccount(definition.name);
    }
    const { choices, stored } = this.options;
    const before = choices.used(id);
    await choices.use(id, name);
    await this.forgetUnused(id, before);
    server.forgetPrivate();
    this.changeEmitter.fire(id);
    if (!isBlocked(server.state.value)) {
      await server.restart();
    }
    await stored.refresh(this.used(id));
  }

  /** A name that nobody signed in to is none to choose again. */
  private async forgetUnused(id: McpServerId, name: string | undefined): Promise<void> {
    const { choices, stored } = this.options;
    const account = accountId(id, name);
    await stored.refresh(account);
    const { hasTokens, hasClient } = stored.of(account);
    await (name === undefined || hasTokens || hasClient ? undefined : choices.forget(id, name));
  }

  async signIn(id: McpServerId, signal = new AbortController().signal): Promise<void> {
    const server = this.server(id);
    assertMayRun(server);
    const account = await this.openAccount(server.definition, signal, this.used(id));
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

  async signOut(
    id: McpServerId,
    { name }: Pick<ServerAccount, 'name'> = { name: this.options.choices.used(id) },
  ): Promise<void> {
    const account = accountId(id, name);
    await this.disconnect(this.server(id), account);
    await this.options.authorizations.forgetTokens(account);
    await this.options.stored.refresh(account);
  }

  async forgetClient(id: McpServerId): Promise<void> {
    const { authorizations, choices, stored } = this.options;
    const name = choices.used(id);
    const account = accountId(id, name);
    await this.disconnect(this.server(id), account);
    await authorizations.forget(account);
    await (name === undefined ? undefined : choices.forget(id, name));
    await stored.refresh(account);
  }

  private used(id: McpServerId): AccountId {
    return accountId(id, this.options.choices.used(id));
  }

  /** Disconnects and gives the tokens back, as far as the server may be reached. */
  private async disconnect(server: AccountServer, of: AccountId): Promise<void> {
    const { engine: loadEngine, servers } = this.options;
    const { signal } = new AbortController();
    // tokens have to go although the entry cannot be resolved or has credentials of its own by now
    const account = servers.mayReach(server.definition)
      ? await this.openAccount(server.definition, signal, of).catch(() => undefined)
      : undefined;
    if (of === this.used(server.definition.id)) {
      await server.stop();
      server.forgetPrivate();
    }
    if (!account) {
      return;
    }
    const { authorization, launch } = account;
    const onNotice = this.maskedLog(server.definition, maskOf(account));
    const engine = await loadEngine(launch);
    // the waits since may have taken the consent away
    if (servers.mayReach(server.definition)) {
      await engine.revokeTokens?.(launch, { authorization, signal, onNotice });
    }
  }

  private maskedLog(definition: McpServerDefinition, mask: MaskText): SignInOptions['onNotice'] {
    const logger = this.options.loggers.forServer(definition);
    return (level, message) => logger.log(level, mask(message));
  }

  private server(id: McpServerId): AccountServer {
    const server = this.options.servers.get(id);
    if (!server) {
      throw serverUnknown();
    }
    return server;
  }

  private async openAccount(
    definition: McpServerDefinition,
    signal: AbortSignal,
    account: AccountId,
  ): Promise<OpenAccount> {
    const { servers, authorizations } = this.options;
    const launch = await servers.resolve(definition, signal);
    const { id, name } = definition;
    const authorization =
      launch && authorizations.forServer(id, servers.nameOf(definition), launch, account);
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
