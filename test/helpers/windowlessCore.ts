import type { WorkspaceFolder } from '../../src/config/definition.js';
import { nullLoggers } from '../../src/config/ports.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { createMcpCore, type McpCoreOptions } from '../../src/mcp/service/mcpCore.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';

type OwnOptions = Omit<Partial<McpCoreOptions>, 'workspace' | 'environment'> &
  Pick<McpCoreOptions, 'engine' | 'startPolicy'> & {
    readonly homeDir: string;
    /** Trusted, for as long as it runs. Default: none. */
    readonly folders?: readonly WorkspaceFolder[];
  };

const never = () => ({ dispose: () => undefined });

/** The core of a window without a screen, outside of a test. Remembers and watches nothing unless it is told to. */
export function createWindowlessCore({ homeDir, folders = [], ...own }: OwnOptions): McpService {
  return createMcpCore({
    workspace: { folders, isTrusted: true, onDidChangeFolders: never, onDidChangeTrust: never },
    environment: createNodeHostEnvironment({
      homeDir,
      env: { PATH: process.env.PATH, HOME: homeDir },
    }),
    watcher: { watch: never },
    loggers: nullLoggers,
    storageDir: undefined,
    clientVersion: '0.0.0',
    ...own,
  });
}
