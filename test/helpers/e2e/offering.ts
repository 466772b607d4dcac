/** Steps with `offering.mjs`, a server that offers and asks for everything beside plain tools. */
import { trustEverything } from './steps.js';
import type { Workbench } from './workbench.js';

/** Connected, with the agent view shown and ready. @param count of the servers that the folder declares */
export async function connectOffering(workbench: Workbench, count: number): Promise<void> {
  const { shell, servers, agent } = workbench;
  await trustEverything(workbench);
  await shell.connectedItem(count, count).waitFor();
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
