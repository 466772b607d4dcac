import type * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';

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
