/** `npm run screenshots`: makes the pictures of the documents again. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { answerReview, review, sampleServers } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { repository } from '../workbench/paths.mjs';

const dir = join(repository, 'media/screenshots');

const workbench = useWorkbench({
  size: { width: 1200, height: 750 },
  settings: { 'window.commandCenter': false },
});

it('shows the page of consent', async () => {
  const { shell, servers } = workbench;
  await servers.show();
  await shell.trustWorkspace();
  await shell.closeModalEditor();
  await review(workbench);
  await save('consent-prompt');
  await answerReview(workbench, 'Trust Whole Folder');
});

it('shows the tree and the status bar', async () => {
  const { shell, servers, editor } = workbench;
  await shell.connectedItem(sampleServers.length, sampleServers.length).waitFor();
  await editor.open('.mcp.json');
  await servers.expand(servers.row('memory'));
  await servers.expand(servers.group('memory', 'Tools'));
  await servers.rows.filter({ hasText: 'create_entities' }).waitFor();
  await save('tree');
});

it('shows a finished turn of the agent', async () => {
  const { agent } = workbench;
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  await agent.ask('echo Hello from the Model Context Protocol');
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: Hello').waitFor();
  await save('agent-turn');
});

async function save(name: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  await workbench.page.screenshot({ path: join(dir, `${name}.png`) });
}
