import type { WorkspaceFolder } from '../../src/config/definition.js';
import { type InputResolver, type Machine, nullLoggers } from '../../src/config/ports.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import type { UserPort } from '../../src/mcp/service/connections.js';
import { placesIn } from '../../src/mcp/service/corePlaces.js';
import { createMcpCore, type McpCoreOptions } from '../../src/mcp/service/mcpCore.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { MemorySecrets } from '../fixtures/memorySecrets.js';

type OwnOptions = Pick<McpCoreOptions, 'engine' | 'startPolicy'> &
  Partial<Omit<McpCoreOptions, 'machine' | 'places' | 'user'>> &
  Partial<Pick<Machine, 'watcher' | 'loggers'>> &
  Partial<UserPort> & {
    readonly homeDir: string;
    /** Default: it remembers nothing. */
    readonly storageDir?: string;
    /** Trusted, for as long as it runs. Default: none. */
    readonly folders?: readonly WorkspaceFolder[];
  };

/** No input is known. */
export const noInputs: InputResolver = { resolve: async () => undefined };

const never = () => ({ dispose: () => undefined });

/** The core of a window without a screen, outside of a test. Remembers and watches nothing unless it is told to. */
export function createWindowlessCore(own: OwnOptions): McpService {
  const { homeDir, storageDir, folders = [] } = own;
  const { watcher = { watch: never }, loggers = nullLoggers } = own;
  const env = { PATH: process.env.PATH, HOME: homeDir };
  return createMcpCore({
    clientVersion: '0.0.0',
    secrets: new MemorySecrets(),
    globalConfigPath: () => undefined,
    ...own,
    machine: {
      workspace: { folders, isTrusted: true, onDidChangeFolders: never, onDidChangeTrust: never },
      environment: createNodeHostEnvironment({ homeDir, env }),
      watcher,
      loggers,
    },
    places: storageDir === undefined ? {} : placesIn(storageDir),
    user: { inputs: noInputs, ...own },
  });
}
