import type { McpServerDefinition, McpServerOptions } from '../../config/definition.js';
import type { EntryOptions } from '../../config/parse/configTypes.js';
import type { McpServer } from '../mcpApi.js';

/**
 * A global server as one folder uses it: the same connection under the folder's switches. Only what decides which tools
 * the folder's agent sees is the folder's; how long the shared process lives is not.
 */
export class OverriddenServer implements McpServer {
  constructor(
    private readonly server: McpServer,
    private readonly folderOptions: EntryOptions,
  ) {}

  get id(): McpServer['id'] {
    return this.server.id;
  }

  get definition(): McpServerDefinition {
    const { definition } = this.server;
    return { ...definition, options: mergeOptions(definition.options, this.folderOptions) };
  }

  get state(): McpServer['state'] {
    return this.server.state;
  }

  get catalog(): McpServer['catalog'] {
    return this.server.catalog;
  }

  get activity(): McpServer['activity'] {
    return this.server.activity;
  }

  get direct(): McpServer['direct'] {
    return this.server.direct;
  }

  get log(): McpServer['log'] {
    return this.server.log;
  }

  get tasks(): McpServer['tasks'] {
    return this.server.tasks;
  }

  isHiddenIn: McpServer['isHiddenIn'] = (...args) => this.server.isHiddenIn(...args);
  ensureConnected: McpServer['ensureConnected'] = (...args) => this.server.ensureConnected(...args);
  readTools: McpServer['readTools'] = (...args) => this.server.readTools(...args);
  restart: McpServer['restart'] = (...args) => this.server.restart(...args);
  stop: McpServer['stop'] = () => this.server.stop();
  callTool: McpServer['callTool'] = (...args) => this.server.callTool(...args);
  readResource: McpServer['readResource'] = (...args) => this.server.readResource(...args);
  watchResource: McpServer['watchResource'] = (...args) => this.server.watchResource(...args);
  getPrompt: McpServer['getPrompt'] = (...args) => this.server.getPrompt(...args);
  complete: McpServer['complete'] = (...args) => this.server.complete(...args);
  hold: McpServer['hold'] = (...args) => this.server.hold(...args);
}

/** What the user excludes or hides stays so: a folder's file can take tools away, not give them. */
function mergeOptions(own: McpServerOptions, folder: EntryOptions): McpServerOptions {
  const { exposure, directTools, includeTools, excludeTools, exposeResources, toolPrefix } = folder;
  const isHidden = own.exposure === 'hidden';
  const included = includeTools?.filter((name) => own.includeTools?.includes(name) ?? true);
  return {
    ...own,
    ...(exposure === undefined || isHidden ? {} : { exposure }),
    ...(directTools === undefined ? {} : { directTools }),
    ...(included === undefined ? {} : { includeTools: included }),
    ...(excludeTools === undefined
      ? {}
      : { excludeTools: [...new Set([...(own.excludeTools ?? []), ...excludeTools])] }),
    ...(exposeResources === undefined
      ? {}
      : { exposeResources: exposeResources && own.exposeResources }),
    ...(toolPrefix === undefined ? {} : { toolPrefix }),
  };
}
