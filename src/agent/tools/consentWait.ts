import { DisposableStore, toDisposable } from '../../base/disposable.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { awaitsConsent } from '../../mcp/stateKinds.js';
import type { ToolCall } from './bridgedTool.js';

/**
 * Resolves when the server waits for no consent any more: it may run, is gone, or is switched off. The caller shows the
 * user the way to the review; without one nobody waits.
 */
export async function waitForConsent(
  service: McpService,
  server: McpServer | undefined,
  { onReview, signal }: Pick<ToolCall, 'onReview' | 'signal'>,
): Promise<void> {
  if (!onReview || !server || !awaitsConsent(server)) {
    return;
  }
  onReview(true);
  try {
    await consentOf(service, server, signal);
  } finally {
    onReview(false);
  }
}

async function consentOf(
  service: McpService,
  { id }: McpServer,
  signal: AbortSignal | undefined,
): Promise<void> {
  const store = new DisposableStore();
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        const server = service.getServer(id);
        if (!server || !awaitsConsent(server)) {
          resolve();
        }
      };
      const leave = () => reject(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
      store.add(toDisposable(() => signal?.removeEventListener('abort', leave)));
      store.add(service.onDidChangePools(look));
      store.add(service.onDidChangeServer(look));
      look();
      if (signal?.aborted) {
        leave();
      }
    });
  } finally {
    store.dispose();
  }
}
