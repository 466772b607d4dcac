/** Commands and Pi extensions in the Pi Agent view of the real VS Code. */
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

// with types and an import that Pi brings along, as extensions have them
const dice = `import { Type } from 'typebox';
import type { ExtensionAPI } from '@earendil-works/pi-coding-agent';
export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: 'dice',
    label: 'Dice',
    description: 'Rolls dice.',
    parameters: Type.Object({ sides: Type.Number() }),
    execute: async (_id, { sides }) => ({ content: [{ type: 'text', text: 'Rolled ' + sides }], details: {} }),
  });
  pi.registerShortcut('ctrl+j', { description: 'Rolls', handler: () => {} });
  pi.registerCommand('roll', {
    description: 'Rolls the dice',
    handler: async (_args, ctx) => {
      const isSure = await ctx.ui.confirm('Roll?', 'Nobody knows what comes.');
      ctx.ui.notify(isSure ? 'It is a six' : 'Not rolled', 'info');
    },
  });
}`;

const workbench = useWorkbench(
  {
    files: {
      '.pi/extensions/hello.ts': `export default function (pi) {
  pi.registerCommand('hello', { description: 'Says hello', handler: async (_args, ctx) => ctx.ui.notify('Hello from the folder') });
}`,
    },
    agentFiles: {
      'settings.json': JSON.stringify({
        compaction: { keepRecentTokens: 20, reserveTokens: 1_000 },
      }),
      'extensions/dice.ts': dice,
      'extensions/broken.ts': 'export default function ( {',
    },
  },
  async (workbench) => {
    await connectSample(workbench);
    await workbench.servers.show();
    await workbench.agent.show();
    await workbench.agent.frame.locator('.model-picker').waitFor();
  },
);

const enter = async (text: string) => {
  const { agent } = workbench;
  await agent.composer.fill(text);
  await agent.composer.press('Escape');
  await agent.composer.press('Enter');
};
const answer = (title: string) => workbench.agent.frame.getByRole('region', { name: title });

it('completes commands, their words and the names of servers by keyboard', async () => {
  const { agent } = workbench;
  const { composer, frame } = agent;
  await composer.fill('/');
  await frame.getByRole('option', { name: '/compact' }).waitFor();
  await workbench.screenshot('command-menu');
  const active = () =>
    composer.evaluate((area) => {
      const id = area.getAttribute('aria-activedescendant');
      return id === null ? null : area.ownerDocument.getElementById(id)?.textContent?.trim();
    });
  expect(await active()).toMatch(/^\/new/);
  await composer.press('ArrowDown');
  expect(await active()).toMatch(/^\/compact/);
  await composer.fill('/mc');
  await composer.press('Tab');
  expect(await composer.inputValue()).toBe('/mcp ');
  await frame.getByRole('option', { name: '/mcp reconnect' }).waitFor();
  await composer.pressSequentially('rec');
  await composer.press('Tab');
  await frame.getByRole('option', { name: '/mcp reconnect memory' }).waitFor();
  await composer.press('Escape');
  await frame.getByRole('listbox').waitFor({ state: 'detached' });
  expect(await composer.getAttribute('aria-activedescendant')).toBeNull();
  await composer.fill('');
});

it('answers beside the conversation, and gives the focus back', async () => {
  const { agent } = workbench;
  await enter('/help');
  await answer('Commands').getByText('/compact [focus]').waitFor();
  await workbench.screenshot('command-help');
  await answer('Commands').getByRole('button', { name: 'Close' }).press('Escape');
  await answer('Commands').waitFor({ state: 'detached' });
  await agent.frame.locator('#composer-text:focus').waitFor();
  await enter('/mcp');
  await answer('MCP servers').getByText('Connected').first().waitFor();
  await workbench.screenshot('command-mcp');
});

it('switches a server off and on, as its row says', async () => {
  const { servers } = workbench;
  await enter('/mcp off memory');
  await answer('MCP servers').getByText('The server is disabled.').waitFor();
  await servers.rows.filter({ hasText: 'memory' }).filter({ hasText: 'Disabled' }).waitFor();
  await enter('/mcp on memory');
  await servers.rows
    .filter({ hasText: 'memory' })
    .filter({ hasText: 'Disabled' })
    .waitFor({ state: 'detached' });
});

it('sends nothing that only looks like a command, unless it is told to', async () => {
  const { agent } = workbench;
  const { frame, composer } = agent;
  await enter('/modle demo');
  await frame.getByText('There is no command /modle.').first().waitFor();
  await workbench.screenshot('command-unknown');
  await frame.getByRole('button', { name: '/model', exact: true }).click();
  expect(await composer.inputValue()).toBe('/model');
  await enter('/unheard of');
  await frame.getByRole('button', { name: 'Send as Text' }).click();
  await frame.locator('.entry.user').getByText('/unheard of').waitFor();
  await frame.locator('.composer').getByRole('button', { name: 'Send' }).waitFor();
  await enter('/usr/bin is a folder');
  await frame.locator('.entry.user').getByText('/usr/bin is a folder').waitFor();
  await frame.locator('.composer').getByRole('button', { name: 'Send' }).waitFor();
});

it('says which extensions are there and which are not, and why', async () => {
  await enter('/tools list');
  const tools = answer('Tools of this conversation');
  await tools.getByText('extensions/dice.ts').waitFor();
  await tools.getByText("Its keys work in Pi's terminal alone.").waitFor();
  await tools.getByText('extensions/broken.ts could not be loaded').waitFor();
  await workbench.screenshot('command-tools');
});

it('runs an extension of the folder once its files were shown and agreed to', async () => {
  const { agent, shell, page, editor } = workbench;
  await enter('/hello');
  await agent.frame.getByText('There is no command /hello.').first().waitFor();
  await enter('/extensions');
  await shell.dialog.getByText('.pi/extensions/hello.ts').waitFor();
  await workbench.screenshot('extensions-of-folder');
  await shell.answerDialog('Read Them First');
  await editor.tab('Pi Extensions to Review').waitFor();
  await enter('/extensions');
  await shell.answerDialog('Run These Files');
  await answer('Pi extensions of this folder').getByText('runs from now on').waitFor();
  await enter('/tools list');
  await answer('Tools of this conversation').getByText('Commands: /hello.').waitFor();
  await enter('/hello');
  await page.getByText('Pi extension: Hello from the folder').first().waitFor();
});

it('runs the command of an extension, with its question in the editor', async () => {
  const { shell, page } = workbench;
  await enter('/roll');
  const question = shell.notification('Nobody knows what comes.');
  await question.waitFor();
  expect(await shell.quickInput.isVisible()).toBe(false);
  await workbench.screenshot('extension-question');
  await question.getByRole('button', { name: 'Yes' }).click();
  await page.getByText('Pi extension: It is a six').first().waitFor();
  // it lies over the input
  await shell.runCommand('Notifications: Clear All Notifications');
});

it('asks before a tool of an extension runs', async () => {
  const { agent } = workbench;
  await agent.ask('call dice {"sides":20}');
  await agent.approval('Run this tool? dice').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('dice', 'done').waitFor();
});

it('summarizes, shows what it saved, and takes it back', async () => {
  const { agent } = workbench;
  const { frame } = agent;
  await frame.locator('.composer').getByRole('button', { name: 'Send' }).waitFor();
  await enter('/compact the dice');
  const entry = frame.getByRole('button', { name: /Compacted: / });
  await entry.click();
  await frame.locator('.entry.compaction .thinking').waitFor();
  await workbench.screenshot('compaction');
  await frame.getByRole('button', { name: 'Undo Summary' }).click();
  await entry.waitFor({ state: 'detached' });
  await agent.tool('dice', 'done').waitFor();
});

it('says what fills the context, and when it is summarized, in the settings of Pi', async () => {
  const { agent, page } = workbench;
  const { frame } = agent;
  const panel = frame.getByRole('dialog', { name: 'Context' });
  await frame.getByRole('button', { name: /^Context \d+ %/ }).press('Enter');
  await panel.getByRole('button', { name: 'Tools' }).press('Enter');
  await panel.getByText('Built in', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Conversation' }).press('Enter');
  await panel.getByText('Results of dice').waitFor();
  await panel.getByText(/summarized by itself above 127,000 of 128,000 tokens/).waitFor();
  await workbench.screenshot('context');
  await panel.getByRole('button', { name: 'Change…' }).press('Enter');
  const above = frame.getByRole('textbox', { name: 'Summarize above' });
  await above.fill('90000');
  await above.press('Enter');
  await panel.getByText(/above 90,000 of 128,000 tokens/).waitFor();
  await panel.locator('button:focus', { hasText: 'Change…' }).waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

it('waits for a busy provider in sight of the user, who sends the request at once', async () => {
  const { agent, modelScript } = workbench;
  let left = 1;
  modelScript.refuse = () =>
    left-- > 0 ? { status: 429, text: 'Slow down', headers: { 'retry-after': '300' } } : undefined;
  await agent.ask('are you there?');
  const line = agent.frame.locator('.entry.retry');
  const text = /Rate limited by Demo\s+·\s+again in [45] min \d+ s\s+·\s+try 1 of 3/;
  await line.filter({ hasText: text }).waitFor();
  await workbench.screenshot('retry');
  await agent.button('Try Now').click();
  await agent.frame.getByText('Rate limited by Demo; worked on retry 1').waitFor();
  await agent.answer('scripted model').last().waitFor();
  modelScript.refuse = undefined;
});

it('starts a new conversation', async () => {
  const { agent } = workbench;
  await enter('/new');
  await agent.frame.getByText('Ask Pi about your code').waitFor();
});
