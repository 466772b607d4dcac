import type * as vscode from 'vscode';
import { AgentPanel } from '../agent/agentPanel.js';
import { ToolFeatures } from '../agent/toolFeatures.js';
import type { Disposable } from '../base/disposable.js';
import type { ObservableValue } from '../base/valueEmitter.js';
import { settingIds } from '../contributions.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { FileWatcher, HostEnvironment, Logger, Workspace } from '../mcp/ports.js';
import { openModels } from './openModels.js';
import { ResultDocuments } from './resultDocuments.js';
import { AgentViewProvider } from './webviews/agentViewProvider.js';
import { ConfigValue } from './workspace/configValue.js';
import { createModelMemory } from './workspace/modelMemory.js';

export interface AgentParts {
  readonly service: McpService;
  readonly workspace: Workspace;
  readonly environment: HostEnvironment;
  readonly watcher: FileWatcher;
  readonly logger: Logger;
  readonly storageDir: string;
  readonly extensionUri: vscode.Uri;
  readonly own: <T extends Disposable>(item: T) => T;
}

/** The agent's panel and what the user decides about its tools. */
export function createAgent(parts: AgentParts): {
  readonly agent: AgentPanel;
  readonly features: ToolFeatures;
  readonly toolBudget: ObservableValue<number>;
} {
  const { service, workspace, environment, watcher, logger, storageDir, own } = parts;
  const features = own(
    new ToolFeatures({ directory: storageDir, watcher, logger, service, environment }),
  );
  void features.start();
  const toolBudget = own(new ConfigValue(settingIds.agentToolBudget));
  const agent = own(
    new AgentPanel({
      loadPi: () => import('../agent/piEntry.js'),
      ...{ service, workspace, environment, logger, storageDir },
      yolo: own(new ConfigValue(settingIds.agentYolo)),
      tools: {
        budget: toolBudget,
        switches: features.switches,
        approvals: features.approvals,
        statistics: features.statistics,
      },
      modelMemory: createModelMemory(own(new ConfigValue(settingIds.agentModel))),
    }),
  );
  const results = own(new ResultDocuments());
  own(
    new AgentViewProvider({
      extensionUri: parts.extensionUri,
      model: agent,
      openModels: () => openModels(agent.modelsPath),
      openResult: (result, file) => results.open(result, file),
      logError: (message) => logger.log('error', message),
    }),
  );
  return { agent, features, toolBudget };
}
