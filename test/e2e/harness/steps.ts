/** Steps that several tests begin with. */
import type { Workbench } from './workbench.js';

export const sampleServers = ['everything', 'filesystem', 'memory', 'remote'] as const;
export const stdioServers = ['everything', 'filesystem', 'memory'] as const;

/** Trusts the workspace and the folder's servers; resolves when VS Code is free again. */
export async function trustEverything({ shell }: Workbench): Promise<void> {
  await shell.trustWorkspace();
  await shell.closeModalEditor();
  await review(shell);
  await shell.answerDialog('Trust Folder');
}

/** Opens the question about the servers that wait, which are known a moment after the window stands. */
export async function review(shell: Workbench['shell']): Promise<void> {
  await shell.askUntilShown(() => shell.runCommand('Pi MCP: Review Servers…'), shell.dialog);
}

export async function connectSample(workbench: Workbench): Promise<void> {
  await trustEverything(workbench);
  await workbench.shell.statusItem(`MCP ${sampleServers.length}/${sampleServers.length}`).waitFor();
}
