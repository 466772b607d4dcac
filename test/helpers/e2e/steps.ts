/** Steps that several tests begin with. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workbench } from './workbench.js';

export const sampleServers = ['everything', 'filesystem', 'memory', 'remote'] as const;
export const stdioServers = ['everything', 'filesystem', 'memory'] as const;

/** Trusts the workspace and the folder's servers; resolves when VS Code is free again. */
export async function trustEverything(workbench: Workbench): Promise<void> {
  await workbench.shell.trustWorkspace();
  await workbench.shell.closeModalEditor();
  await review(workbench);
  await answerReview(workbench, 'Trust Folder');
}

/** Opens the question about the servers that wait, which are known a moment after the window stands. */
export async function review({ shell, editor }: Workbench): Promise<void> {
  await shell.askUntilShown(
    () => shell.runCommand('Pi MCP: Review Servers'),
    shell.dialog.or(editor.lens('Trust These Servers Only')),
  );
}

/** Answers the question, which is a document when it does not fit a dialog. */
export async function answerReview(
  { shell, editor }: Workbench,
  answer: 'Trust Folder' | 'Trust These Servers Only' | 'Not Now',
): Promise<void> {
  const lens = editor.lens(answer);
  await shell.dialog.or(lens).waitFor();
  if (await shell.dialog.isVisible()) {
    await shell.answerDialog(answer);
  } else {
    await lens.click();
    await editor.tab('MCP Servers to Review').waitFor({ state: 'detached' });
  }
}

export async function connectSample(workbench: Workbench): Promise<void> {
  await trustEverything(workbench);
  await workbench.shell.connectedItem(sampleServers.length, sampleServers.length).waitFor();
}

/** Gives the user a choice of models; before the agent view is shown. */
export function addSecondModel({ agentDir }: Workbench): void {
  const path = join(agentDir, 'models.json');
  const { providers } = JSON.parse(readFileSync(path, 'utf8'));
  const [first] = providers.demo.models;
  providers.demo.models.push({ ...first, id: 'demo-2', name: 'Second (offline)' });
  writeFileSync(path, JSON.stringify({ providers }));
}
