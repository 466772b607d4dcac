/** What extensions of the user ask and say, in this host. */
import type { ExtensionUIContext, ExtensionUIDialogOptions } from '@earendil-works/pi-coding-agent';
import { linkSignals } from '../../base/async/cancellation.js';
import { errorMessage } from '../../base/errors.js';
import type { PiSession } from './piModule.js';

/** `undefined`: the user left. */
export interface ExtensionUi {
  readonly select: (
    title: string,
    choices: readonly string[],
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  readonly confirm: (title: string, message: string, signal: AbortSignal) => Promise<boolean>;
  readonly input: (
    title: string,
    placeholder: string,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  readonly notify: (message: string, kind: 'info' | 'warning' | 'error') => void;
}

/** Milliseconds that extensions may take to begin, together. */
const startMs = 10_000;

/** Lets the extensions of a session begin. One that fails, or does not finish, costs itself. */
export async function startExtensions(
  session: PiSession,
  ui: ExtensionUi | undefined,
  logError: (text: string) => void,
): Promise<void> {
  const onError = ({ extensionPath, event, error }: ExtensionFailure) =>
    logError(`${extensionPath}, ${event}: ${error}`);
  const uiContext = ui && contextOf(session.extensionRunner.getUIContext(), ui);
  const started = session
    .bindExtensions({ mode: 'rpc', onError, uiContext })
    .catch((error: unknown) => logError(errorMessage(error)));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      logError('Pi extensions take long to begin; the conversation goes on without waiting.');
      resolve();
    }, startMs);
  });
  await Promise.race([started, late]).finally(() => clearTimeout(timer));
}

interface ExtensionFailure {
  readonly extensionPath: string;
  readonly event: string;
  readonly error: string;
}

/** @param base does nothing, which is right for everything that draws in a terminal */
function contextOf(base: ExtensionUIContext, ui: ExtensionUi): ExtensionUIContext {
  const within = <T>(
    { signal, timeout }: ExtensionUIDialogOptions = {},
    ask: (signal: AbortSignal) => Promise<T>,
  ) => {
    const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
    const either = linkSignals(signal, limit);
    return ask(either.signal).finally(() => either.dispose());
  };
  return {
    ...base,
    select: (title, options, dialog) =>
      within(dialog, (signal) => ui.select(title, options, signal)),
    confirm: (title, message, dialog) =>
      within(dialog, (signal) => ui.confirm(title, message, signal)),
    input: (title, placeholder = '', dialog) =>
      within(dialog, (signal) => ui.input(title, placeholder, signal)),
    notify: (message, kind = 'info') => ui.notify(message, kind),
  };
}
