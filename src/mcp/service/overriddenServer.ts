import type { McpServerOptions } from '../../config/definition.js';
import type { EntryOptions } from '../../config/parse/configTypes.js';
import type { McpServer } from '../mcpApi.js';

/**
 * A global server as one folder uses it: the same connection under the folder's switches. Only what decides which tools
 * the folder's agent sees is the folder's; how long the shared process lives is not.
 */
export function withFolderOptions(server: McpServer, options: EntryOptions): McpServer {
  return new Proxy(server, {
    get(target, key) {
      if (key === 'definition') {
        const { definition } = target;
        return { ...definition, options: mergeOptions(definition.options, options) };
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
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
