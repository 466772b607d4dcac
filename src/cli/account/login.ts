import { linkSignals } from '../../base/async/cancellation.js';
import { HumanError } from '../../base/errors.js';
import { quotedName } from '../../base/text/nameToken.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { AccountCommand } from '../arguments.js';
import { type CliResult, resultOf } from '../cliTypes.js';
import { connectAll, errorDocument, exitStatus, timeoutSignal } from '../connect.js';
import { type CliSession, findServer, findUsable } from '../session.js';

/** Signs in to one server and keeps the account for later runs. */
export async function runLogin(session: CliSession, command: AccountCommand): Promise<CliResult> {
  const server = findUsable(session, command.server);
  const { accounts } = session.service;
  const { name: before } = accounts.stored(server.id);
  const { name } = meantAccount(command) ?? { name: before };
  if (name === before) {
    return await signInOnce(session, server);
  }
  await accounts.use(server.id, name);
  try {
    return await signInOnce(session, server);
  } catch (error) {
    // what failed is what the user has to know
    await accounts.use(server.id, before).catch(() => undefined);
    throw error;
  }
}

/** With the account that the folder uses. */
async function signInOnce(session: CliSession, server: McpServer): Promise<CliResult> {
  // what the server says to a stranger tells where to sign in, and for what
  await connectAll(session, [server]);
  const isNeeded = server.state.value.kind !== 'connected';
  if (isNeeded) {
    assertReached(server);
    await signIn(session, server);
    await connectAll(session, [server]);
  }
  const sentence = isNeeded
    ? `Signed in. The account is kept in ${session.accountsPath}.`
    : 'The server takes you as you are; no sign-in is needed.';
  const document = {
    ...described(server),
    account: session.service.accounts.stored(server.id).name ?? null,
    signedIn: isNeeded,
    accounts: session.accountsPath,
  };
  const line = `${quotedName(server.definition.name)}: ${sentence}`;
  return resultOf(document, [line], exitStatus(session, [server]));
}

/** Who cannot be reached does not say where to sign in either. */
function assertReached({ state: { value: state } }: McpServer): void {
  const isAway =
    state.kind === 'error' && ['unreachable', 'initialize_timeout'].includes(state.failure.code);
  if (isAway) {
    const { code, message, remedy } = state.failure;
    throw new HumanError(code, message, { remedy });
  }
}

async function signIn({ service, signal, flags }: CliSession, server: McpServer): Promise<void> {
  const limit = timeoutSignal(flags);
  try {
    await service.accounts.signIn(server.definition.id, linkSignals(signal, limit).signal);
  } catch (error) {
    throw limit?.aborted && !signal.aborted
      ? new HumanError('timeout', 'The sign-in was not completed in time.', {
          remedy: 'Raise "--timeout".',
          cause: error,
        })
      : error;
  }
}

/** Gives the tokens of one server back and forgets them. */
export async function runLogout(session: CliSession, command: AccountCommand): Promise<CliResult> {
  const server = findServer(session, command.server);
  await session.service.accounts.signOut(server.definition.id, meantAccount(command));
  const document = { ...described(server), signedIn: false, accounts: session.accountsPath };
  return resultOf(document, [`${quotedName(server.definition.name)}: Signed out.`]);
}

function meantAccount({ account }: AccountCommand) {
  return account === undefined ? undefined : { name: account === '' ? undefined : account };
}

function described({ definition, state }: McpServer) {
  return {
    name: definition.name,
    scope: definition.scope,
    folder: definition.folder?.fsPath ?? null,
    state: state.value.kind,
    error: errorDocument(state.value),
  };
}
