/** What a newcomer sees first who runs `npm start`: the guide, the tree and the agent, side by side. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { repository } from '../workbench/paths.mjs';

const workbench = useWorkbench({
  otherExtensions: [join(repository, 'test/workbench/guide')],
  settings: { 'chat.mcp.access': 'none' },
});

it('opens with servers, agent and the first steps in sight', async () => {
  const { agent, page, servers } = workbench;
  // VS Code starts the extensions of its own that show it
  const readme = page.getByRole('tab', { name: 'Preview README.md', selected: true });
  await readme.waitFor({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Welcome' }).waitFor();
  await servers.waitForServer('memory', 'Restricted Mode');
  await agent.composer.waitFor();
  const [tree, input] = await Promise.all([
    servers.row('memory').first().boundingBox(),
    agent.composer.boundingBox(),
  ]);
  const width = page.viewportSize()?.width ?? 0;
  // what is to be done first has most of the window
  expect((input?.x ?? 0) - (tree?.x ?? 0) - (tree?.width ?? 0)).toBeGreaterThan(width / 3);
  await workbench.screenshot('guide');
});
