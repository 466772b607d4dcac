import type * as vscode from 'vscode';
import { ToolFeatures } from '../agent/policy/toolFeatures.js';
import type { Disposable } from '../base/disposable.js';
import type { ObservableValue } from '../base/valueEmitter.js';
import type { LoggerProvider } from '../config/ports.js';
import { settingIds } from '../contributions.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { FileWatcher, HostEnvironment } from '../platform/ports.js';
import { ResultDocuments } from './documents/resultDocuments.js';
import type { TextDocuments } from './documents/textDocuments.js';
import { ConfigValue } from './workspace/configValue.js';
import { createProfileMemory } from './workspace/profileMemory.js';

export interface ToolSurroundings {
  readonly service: McpService;
  readonly environment: HostEnvironment;
  readonly watcher: FileWatcher;
  readonly logs: LoggerProvider;
  readonly storageDir: string;
  readonly documents: TextDocuments;
  readonly workspaceState: vscode.Memento;
  readonly own: <T extends Disposable>(item: T) => T;
}

export interface ToolParts {
  readonly features: ToolFeatures;
  readonly toolBudget: ObservableValue<number>;
  readonly results: ResultDocuments;
}

/** What the user decides about tools, and where their results are shown. */
export function createTools({ own, ...parts }: ToolSurroundings): ToolParts {
  const features = own(
    new ToolFeatures({
      directory: parts.storageDir,
      watcher: parts.watcher,
      logger: parts.logs.main,
      service: parts.service,
      environment: parts.environment,
      profiles: own(new ConfigValue(settingIds.profiles)),
      profileMemory: createProfileMemory(parts.workspaceState),
    }),
  );
  void features.start();
  return {
    features,
    toolBudget: own(new ConfigValue(settingIds.agentToolBudget)),
    results: own(new ResultDocuments(parts.documents)),
  };
}
