/** Signals of ours and tokens of VS Code, each made of the other. */
import * as vscode from 'vscode';
import { CancellationError, linkSignals } from '../../base/async/cancellation.js';
import type { Disposable } from '../../base/disposable.js';

/** Runs the work with a signal that aborts when the token is cancelled. Rejects with a cancellation then. */
export async function abortOnCancel<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const subscription = token.onCancellationRequested(() =>
    controller.abort(new CancellationError()),
  );
  try {
    const result = await work(controller.signal);
    controller.signal.throwIfAborted();
    return result;
  } finally {
    subscription.dispose();
  }
}

/** Says in a notification that the work goes on, until it ends. Its button cancels, see {@link abortOnCancel}. */
export async function withCancellableProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return await vscode.window.withProgress(
    { location, title, cancellable: true },
    (progress, token) =>
      abortOnCancel(token, (signal) => work(signal, (message) => progress.report({ message }))),
  );
}

/** A token that is cancelled when one of the signals aborts. Dispose it when the work has ended. */
export function cancelOnAbort(
  ...signals: readonly (AbortSignal | undefined)[]
): Disposable & { readonly token: vscode.CancellationToken } {
  const source = new vscode.CancellationTokenSource();
  const { signal, dispose } = linkSignals(...signals);
  signal.addEventListener('abort', () => source.cancel(), { once: true });
  if (signal.aborted) {
    source.cancel();
  }
  return {
    token: source.token,
    dispose: () => {
      dispose();
      source.dispose();
    },
  };
}

/** Asks something with a token that is cancelled when the signal aborts. */
export async function withToken<T>(
  signal: AbortSignal | undefined,
  ask: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  const { token, dispose } = cancelOnAbort(signal);
  try {
    return await ask(token);
  } finally {
    dispose();
  }
}
