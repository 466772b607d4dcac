/** A window whose folder names remote servers that want an account, in VS Code where nobody is signed in. */
import { afterAll, beforeAll } from 'vitest';
import { trustEverything } from './steps.js';
import { useWorkbench } from './useWorkbench.js';
import type { Workbench } from './workbench.js';

interface AccountWorkbench<T> {
  readonly workbench: Workbench;
  /** Who authorizes, as `start` gave it. */
  readonly server: T;
}

/**
 * One for the tests of a file, which begin where the server `account` waits for the user.
 * @param start runs the authorization server
 * @param entries of `.mcp.json`. Default: `account` with the address alone
 */
export function useAccountWorkbench<T extends { readonly url: string; close(): Promise<void> }>(
  start: () => Promise<T>,
  entries: (url: string) => Readonly<Record<string, object>> = (url) => ({ account: { url } }),
): AccountWorkbench<T> {
  let server: T | undefined;
  const files: Record<string, string> = {};
  beforeAll(async () => {
    server = await start();
    files['.mcp.json'] = JSON.stringify({ mcpServers: entries(server.url) });
  });
  afterAll(() => server?.close());

  const workbench = useWorkbench({ files }, async (workbench) => {
    const { servers } = workbench;
    // servers of this machine need trust
    await trustEverything(workbench);
    await servers.show();
    await servers.waitForServer('account', 'Sign in');
  });
  return {
    workbench,
    get server() {
      if (!server) {
        throw new Error('No test runs');
      }
      return server;
    },
  };
}
