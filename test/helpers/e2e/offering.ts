/** A workspace whose only server is `offering.mjs`, which offers and asks for everything beside plain tools. */
import { join } from 'node:path';
import { repository } from '../../workbench/paths.mjs';
import { trustEverything } from './steps.js';
import type { Workbench } from './workbench.js';

const script = join(repository, 'test/fixtures/servers/offering.mjs');

export const offeringFiles = {
  '.mcp.json': JSON.stringify({ mcpServers: { offering: { command: 'node', args: [script] } } }),
};

/** Connected, with the agent view shown and ready. */
export async function connectOffering(workbench: Workbench): Promise<void> {
  const { shell, servers, agent } = workbench;
  await trustEverything(workbench);
  await shell.connectedItem(1, 1).waitFor();
  await servers.show();
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
}

/** Lets the agent call a tool of the server; resolves when the call runs. */
export async function useTool(
  { agent }: Workbench,
  tool: string,
  args: object = {},
): Promise<void> {
  await agent.ask(`use offering__${tool} ${JSON.stringify(args)}`);
  await agent.approval(tool).getByRole('button', { name: 'Allow Once' }).click();
}
