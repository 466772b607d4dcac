import * as vscode from 'vscode';
import type { LoginChoice, ModelLogin } from '../../agent/models/login.js';
import { isCancellationError } from '../../base/async/cancellation.js';
import { errorMessage, HumanError } from '../../base/errors.js';
import { asObject } from '../../base/json.js';
import { labelText } from '../../base/text/labelText.js';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { commandIds } from '../../contributions.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { chooseModel, chooseThinking, type ModelPickerPanel } from '../models/modelPicker.js';
import { addModelServer, findLocalModels, type ModelServerPanel } from '../models/serverFlows.js';
import { confirm, showInformation } from '../notifications.js';
import { createLoginInteraction } from '../prompts/loginInteraction.js';
import { pickOne } from '../prompts/picks/picks.js';
import { withCancellableProgress } from '../workspace/cancelling.js';

type ModelCommandPanel = ModelPickerPanel & ModelServerPanel & { readonly logins: ModelLogin };

/** @param panel where the user was last */
export function modelCommands(panel: () => ModelCommandPanel): CommandHandlers {
  return {
    [commandIds.logIn]: (wanted) => logInToProvider(panel().logins, wanted),
    [commandIds.chooseModel]: (wanted) =>
      chooseModel(panel(), typeof wanted === 'string' ? wanted : ''),
    [commandIds.chooseThinking]: () => chooseThinking(panel()),
    [commandIds.findLocalModels]: () => findLocalModels(panel()),
    [commandIds.addModelServer]: () => addModelServer(panel()),
  };
}

/** Lets the user choose a provider, and logs in to it, or out of it. @param wanted kind of login, and provider, as far as they are chosen */
async function logInToProvider(logins: ModelLogin, wanted: unknown): Promise<void> {
  const { kind, provider } = asObject(wanted);
  const all = await logins.choices();
  const some = all.filter((one) => one.kind === kind);
  const ofKind = some.length > 0 ? some : all;
  const choice = ofKind.find((one) => one.provider === provider) ?? (await pickLogin(ofKind));
  if (choice.isStored && (await wantsLogout(choice))) {
    await logins.logOut(choice);
    return;
  }
  const title = vscode.l10n.t('Log In to {0}', nameToken(choice.name));
  await withCancellableProgress(title, async (signal, report) => {
    const interaction = createLoginInteraction({ title, signal, report });
    await logins.logIn(choice, interaction).catch((error: unknown) => {
      throw explained(error, choice);
    });
  });
}

/** Lets the user choose among the logins that are kept. @throws {HumanError} when none is. */
export async function logOutOfProvider(logins: ModelLogin): Promise<void> {
  const stored = (await logins.choices()).filter(({ isStored }) => isStored);
  const choice = await pickOne<LoginChoice>(stored.map(loginItem), {
    title: vscode.l10n.t('Log Out'),
  });
  await logins.logOut(choice);
}

const loginIcons = { api_key: 'key', oauth: 'account', editor: 'vscode' } as const;

function loginItem(choice: LoginChoice) {
  return {
    label: labelText(choice.name),
    description: choice.isStored
      ? vscode.l10n.t('{0}, used by Pi', quotedName(choice.label))
      : choice.label,
    iconPath: new vscode.ThemeIcon(loginIcons[choice.kind]),
    value: choice,
  };
}

function pickLogin(choices: readonly LoginChoice[]): Promise<LoginChoice> {
  return pickOne<LoginChoice>(choices.map(loginItem), {
    title: vscode.l10n.t('Log In to a Model Provider'),
    placeHolder: vscode.l10n.t(
      'Pi keeps the login in its own files, where its command line finds it too',
    ),
  });
}

/** @returns false to log in anew. */
async function wantsLogout({ name, kind }: LoginChoice): Promise<boolean> {
  if (kind === 'editor') {
    const isWanted = await confirm(
      vscode.l10n.t('Stop using the models of this provider? {0}', nameToken(name)),
      {
        detail: vscode.l10n.t('Pi sends nothing to them until you allow it again.'),
        action: vscode.l10n.t('Stop'),
      },
    );
    if (!isWanted) {
      throw new vscode.CancellationError();
    }
    return true;
  }
  const logOut = vscode.l10n.t('Log Out');
  const answer = await showInformation(
    vscode.l10n.t('You are logged in to: {0}', nameToken(name)),
    { modal: true },
    vscode.l10n.t('Log In Again'),
    logOut,
  );
  if (answer === undefined) {
    throw new vscode.CancellationError();
  }
  return answer === logOut;
}

function explained(error: unknown, { name }: LoginChoice): unknown {
  return isCancellationError(error) || error instanceof HumanError
    ? error
    : new HumanError(
        'login_failed',
        vscode.l10n.t('The login to {0} failed: {1}', quotedName(name), errorMessage(error)),
        { remedy: vscode.l10n.t('Try again.'), cause: error },
      );
}
