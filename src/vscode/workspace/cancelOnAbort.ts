import * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.js';

/** A token that is cancelled when the signal aborts. Dispose it when the work has ended. */
export function cancelOnAbort(
  signal: AbortSignal | undefined,
): Disposable & { readonly token: vscode.CancellationToken } {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) {
    cancel();
  }
  const { dispose } = toDisposable(() => {
    signal?.removeEventListener('abort', cancel);
    source.dispose();
  });
  return { token: source.token, dispose };
}
