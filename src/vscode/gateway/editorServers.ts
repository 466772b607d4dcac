/** Servers that VS Code's own agent has from a gateway of ours. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { mcpProviderId, storageKeys } from '../../contributions.js';
import type { HandedServer, HandOverMemory, HandOvers } from '../../gateway/handOvers.js';

/** Never in a file of the folder: a repository hands nothing over. */
export function createHandOverMemory(storage: vscode.Memento): HandOverMemory {
  return {
    recall: () => storage.get(storageKeys.handedOver),
    remember: async (choices) => {
      await storage.update(storageKeys.handedOver, choices);
    },
  };
}

/** An editor that is built on VS Code may have no servers of its own. */
function register(provider: vscode.McpServerDefinitionProvider): Disposable {
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  return (
    lm?.registerMcpServerDefinitionProvider?.(mcpProviderId, provider) ?? {
      dispose: () => undefined,
    }
  );
}

/** While nothing is loaded no gateway runs; without an answer VS Code would show what it remembers. */
export function registerNoEditorServers(): Disposable {
  return register({ provideMcpServerDefinitions: () => [] });
}

/** The token goes to VS Code only when it connects. */
export class EditorServers implements Disposable {
  private readonly store = new DisposableStore();

  constructor(handOvers: HandOvers) {
    const changes = this.store.add(new vscode.EventEmitter<void>());
    this.store.add(handOvers.onDidChangeOffered(() => changes.fire()));
    this.store.add(
      register({
        onDidChangeMcpServerDefinitions: changes.event,
        provideMcpServerDefinitions: () => handOvers.offered.map((server) => definition(server)),
        resolveMcpServerDefinition: ({ label }) => {
          const found = handOvers.access(label);
          return found && definition(found.server, { Authorization: `Bearer ${found.token}` });
        },
      }),
    );
  }

  dispose(): void {
    this.store.dispose();
  }
}

function definition(
  { label, url, version }: HandedServer,
  headers: Record<string, string> = {},
): vscode.McpHttpServerDefinition {
  return new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url, true), headers, version);
}
