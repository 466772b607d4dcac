/** What extensions of the user ask and say, in this host. */
import type { ExtensionUIContext } from '@earendil-works/pi-coding-agent';
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

interface DialogOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

/** @param base does nothing, which is right for everything that draws in a terminal */
function contextOf(base: ExtensionUIContext, ui: ExtensionUi): ExtensionUIContext {
  const signalOf = ({ signal, timeout }: DialogOptions = {}) =>
    linkSignals(signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)).signal;
  return {
    ...base,
    select: (title, options, dialog) => ui.select(title, options, signalOf(dialog)),
    confirm: (title, message, dialog) => ui.confirm(title, message, signalOf(dialog)),
    input: (title, placeholder = '', dialog) => ui.input(title, placeholder, signalOf(dialog)),
    notify: (message, kind = 'info') => ui.notify(message, kind),
  };
}
