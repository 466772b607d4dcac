/** Servers that VS Code's own agent has from a gateway of ours. */
import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { mcpProviderId } from '../../contributions.js';
import type { HandedServer, HandOvers } from '../../gateway/handOvers.js';

/** None before there are gateways: without an answer VS Code would show what it remembers. */
export class EditorServers extends DisposableOwner {
  private readonly changes = this.store.add(new vscode.EventEmitter<void>());
  private handOvers: HandOvers | undefined;

  constructor() {
    super();
    // an editor that is built on VS Code may have no servers of its own
    const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
    const registration = lm?.registerMcpServerDefinitionProvider?.(mcpProviderId, {
      onDidChangeMcpServerDefinitions: this.changes.event,
      provideMcpServerDefinitions: () =>
        this.handOvers?.offered.map((server) => definition(server)) ?? [],
      // the token goes to VS Code only when it connects
      resolveMcpServerDefinition: ({ label }) => {
        const found = this.handOvers?.access(label);
        return found && definition(found.server, { Authorization: `Bearer ${found.token}` });
      },
    });
    if (registration) {
      this.store.add(registration);
    }
  }

  /** Call it once, when there are gateways. */
  offer(handOvers: HandOvers): void {
    this.handOvers = handOvers;
    this.store.add(handOvers.onDidChangeOffered(() => this.changes.fire()));
    this.changes.fire();
  }
}

function definition(
  { label, url, version }: HandedServer,
  headers: Record<string, string> = {},
): vscode.McpHttpServerDefinition {
  return new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url, true), headers, version);
}
