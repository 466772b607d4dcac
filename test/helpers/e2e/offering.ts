/** Steps with `offering.mjs`, a server that offers and asks for everything beside plain tools. */
import { join } from 'node:path';
import { repository } from '../../workbench/paths.mjs';
import { trustEverything } from './steps.js';
import type { Workbench } from './workbench.js';

const fixture = (name: string, ...args: string[]) => ({
  command: 'node',
  args: [join(repository, 'test/fixtures/servers', name), ...args],
});

/** A folder with five servers: one with prompts and questions, and those of tasks, skills and apps. @param reach of an app */
export const offeringFiles = (reach: string): Readonly<Record<string, string>> => ({
  '.mcp.json': JSON.stringify({
    mcpServers: {
      offering: fixture('offering.mjs'),
      jobs: fixture('tasks.mjs'),
      skilled: fixture('skills.mjs', '${workspaceFolder}/skills'),
      shop: fixture('shop.mjs'),
      zone: fixture('shop.mjs', '--reach', reach),
    },
  }),
  'skills/forms/SKILL.md':
    '---\nname: forms\ndescription: Fills in forms.\n---\nRead FIELDS.md first.\n',
  'skills/forms/references/FIELDS.md': 'name, age\n',
  'plan.md': '# Total of the cart\n\nIt is the sum of the prices.\n',
  'wrong.json': '{ "a" }\n',
});

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

/** The answer to the last message; earlier ones say the same. */
export async function waitForAnswer({ agent }: Workbench, text: string): Promise<void> {
  await agent.frame.locator('.entry').last().and(agent.answer(text)).waitFor();
}
