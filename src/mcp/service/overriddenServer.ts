import { toDisposable } from '../../base/disposable.js';
import { defined } from '../../base/json.js';
import type { McpServerDefinition, McpServerOptions } from '../../config/definition.js';
import type { EntryOptions } from '../../config/parse/configTypes.js';
import { joinOverrides, onlyHidden } from '../../config/toolOverrides.js';
import type { McpServer } from '../mcpApi.js';
import type { BlockedState } from '../mcpTypes.js';
import { blockedError } from '../trouble/trouble.js';

/**
 * A global server as one folder uses it: the same connection under the folder's switches. Only what decides which tools
 * the folder's agent sees is the folder's; how long the shared process lives is not.
 */
export class OverriddenServer implements McpServer {
  constructor(
    private readonly server: McpServer,
    private readonly folderOptions: EntryOptions,
    /** Why the folder may not use it. Default: it may. */
    private readonly off?: BlockedState,
  ) {}

  get id(): McpServer['id'] {
    return this.server.id;
  }

  get definition(): McpServerDefinition {
    const { definition } = this.server;
    const options = mergeOptions(definition.options, this.folderOptions);
    return { ...definition, options, enabled: definition.enabled && !this.off };
  }

  get state(): McpServer['state'] {
    const { off } = this;
    // another folder is another object
    return off
      ? { value: off, onDidChange: () => toDisposable(() => undefined) }
      : this.server.state;
  }

  get catalog(): McpServer['catalog'] {
    return this.server.catalog;
  }

  get activity(): McpServer['activity'] {
    return this.server.activity;
  }

  get direct(): McpServer['direct'] {
    return this.on.direct;
  }

  get log(): McpServer['log'] {
    return this.server.log;
  }

  get tasks(): McpServer['tasks'] {
    return this.server.tasks;
  }

  isHiddenIn: McpServer['isHiddenIn'] = (...args) => this.server.isHiddenIn(...args);
  ensureConnected: McpServer['ensureConnected'] = async (...args) =>
    this.on.ensureConnected(...args);
  readTools: McpServer['readTools'] = async (...args) => this.on.readTools(...args);
  refreshLists: McpServer['refreshLists'] = async () => this.server.refreshLists();
  restart: McpServer['restart'] = async (...args) => this.off ?? this.server.restart(...args);
  stop: McpServer['stop'] = () => this.server.stop();
  callTool: McpServer['callTool'] = async (...args) => this.on.callTool(...args);
  acceptDefinitions: McpServer['acceptDefinitions'] = (...args) =>
    this.server.acceptDefinitions(...args);
  readResource: McpServer['readResource'] = async (...args) => this.on.readResource(...args);
  watchResource: McpServer['watchResource'] = (...args) => this.server.watchResource(...args);
  getPrompt: McpServer['getPrompt'] = async (...args) => this.on.getPrompt(...args);
  loadSkill: McpServer['loadSkill'] = async (...args) => this.on.loadSkill(...args);
  complete: McpServer['complete'] = async (...args) => this.on.complete(...args);
  hold: McpServer['hold'] = (...args) => this.server.hold(...args);

  /** @throws {HumanError} where the folder may not use it. */
  private get on(): McpServer {
    if (this.off) {
      throw blockedError(this.off);
    }
    return this.server;
  }
}

/** What the user excludes or hides stays so: a folder's file can take tools away, not give them. */
function mergeOptions(own: McpServerOptions, folder: EntryOptions): McpServerOptions {
  const { exposure, directTools, includeTools, excludeTools, exposeResources, toolPrefix } = folder;
  const { toolOverrides } = folder;
  const isHidden = own.exposure === 'hidden';
  const included = includeTools?.filter((name) => own.includeTools?.includes(name) ?? true);
  return {
    ...own,
    ...defined({
      exposure: isHidden ? undefined : exposure,
      directTools,
      includeTools: included,
      excludeTools: excludeTools && [...new Set([...(own.excludeTools ?? []), ...excludeTools])],
      exposeResources: exposeResources === false ? false : own.exposeResources,
      toolPrefix,
      toolOverrides: joinOverrides(own.toolOverrides, toolOverrides && onlyHidden(toolOverrides)),
    }),
  };
}
