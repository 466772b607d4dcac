/** Where servers that wait are reviewed: from a call of the agent, in a document, and later in the list of trust. */
import { expect, it } from 'vitest';
import { connectSample } from './harness/steps.js';
import { useWorkbench } from './harness/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
});

it('lets a call of the agent wait in its card, opens nothing by itself, and goes on after consent', async () => {
  const { shell, servers, agent } = workbench;
  await shell.runCommand('Pi MCP: Revoke Trust…');
  await shell.answerDialog('Revoke Trust');
  await servers.waitForServer('everything', 'trust required');
  await agent.show();
  await agent.ask('echo Hello from review');
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  const card = agent.frame.locator('.entry.tool[data-status=awaiting_review]');
  const review = card.getByRole('button', { name: 'Review…' });
  await review.waitFor();
  await workbench.screenshot('agent-review-card');
  expect(await shell.dialog.isVisible()).toBe(false);
  await review.click();
  await shell.answerDialog('Cancel');
  await review.click();
  await shell.answerDialog('Trust These Servers Only');
  await agent.answer('Echo: Hello').waitFor();
});
