/** Many servers and tools, switched at once after a look at what that would change. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const settings = { 'piMcp.agent.toolBudget': 20_000 };
const workbench = useWorkbench({ settings }, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
});

function file(): string {
  return readFileSync(join(workbench.workspaceDir, '.mcp.json'), 'utf8');
}

function box(name: string | RegExp) {
  return workbench.shell.quickPick(name).first().getByRole('checkbox');
}

/** Enter would turn the box that was clicked. */
async function acceptBoxes(): Promise<void> {
  await workbench.shell.quickInput.getByRole('button', { name: 'OK' }).click();
}

async function openPicker(): Promise<void> {
  const { shell } = workbench;
  await shell.askUntilShown(
    () => shell.runCommand('Pi MCP: Switch Servers…'),
    shell.quickPick(/^\s*memory/).first(),
  );
}

it('shows what staged switches would do, and leaves everything as it was', async () => {
  const { shell } = workbench;
  const before = file();
  await openPicker();
  expect(await box(/^\s*memory/).isChecked()).toBe(true);
  await box(/^\s*memory/).click();
  await box(/^\s*everything/).click();
  await shell.quickInput.getByText('(changes: 2)').waitFor();
  await workbench.screenshot('switch-servers');
  await acceptBoxes();
  await shell.quickPick('Apply Changes: 2').waitFor();
  await shell.quickPick('Its process stops.').first().waitFor();
  await shell.quickPick('Tools in every request').waitFor();
  await workbench.screenshot('switch-servers-review');
  // back to the boxes, which are as they were left
  await shell.pick('Back to the Selection');
  await shell.quickInput.getByText('(changes: 2)').waitFor();
  expect(await box(/^\s*memory/).isChecked()).toBe(false);
  await acceptBoxes();
  await shell.pick('Leave Everything as It Is');
  await shell.quickInput.waitFor({ state: 'hidden' });
  expect(file()).toBe(before);
  await shell.connectedItem(4, 4).waitFor();
});

it('applies servers and tools together by the keyboard, and takes it back', async () => {
  const { page, servers, shell } = workbench;
  const before = file();
  await openPicker();
  // typing finds, Space ticks, Enter goes on
  await shell.quickInput.locator('input[type=text]').fill('read_graph');
  await shell.quickPick('read_graph').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await shell.quickInput.getByText('(changes: 1)').waitFor();
  await shell.quickInput.locator('input[type=text]').fill('everything');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await shell.quickInput.getByText('(changes: 2)').waitFor();
  await page.keyboard.press('Enter');
  await shell.quickPick('Apply Changes: 2').waitFor();
  await page.keyboard.press('Enter');
  await shell.connectedItem(3, 3).waitFor();
  await servers.waitForServer('everything', 'disabled');
  expect(file()).toContain('"enabled": false');
  await servers.expand(servers.row('memory').first());
  await servers.expand(servers.group('memory', 'Tools'));
  await servers.row('read_graph', 'off').first().waitFor();
  const notice = shell.notification('MCP servers were switched');
  await notice.waitFor();
  await workbench.screenshot('switch-servers-applied');
  await notice.getByRole('button', { name: 'Undo' }).click();
  await shell.connectedItem(4, 4).waitFor();
  await servers.row('read_graph', 'tool').first().waitFor();
  await vi.waitFor(() => expect(file()).toBe(before));
});

it('opens from the page of the configuration, which shows the result', async () => {
  const { config, shell } = workbench;
  await shell.runCommand('Pi MCP: Configure Servers');
  await config.button('Switch Servers…').click();
  await box(/^\s*memory/).click();
  await acceptBoxes();
  await shell.pick('Apply Changes: 1');
  await config.waitForState('memory', 'disabled');
  await workbench.screenshot('switch-servers-page');
  await config.checkbox(/Enabled.*: memory/).click();
  await config.waitForState('memory', 'connected');
});

it('stays readable in a narrow window and in high contrast', async () => {
  const { page, shell } = workbench;
  for (const [name, theme, width] of [
    ['light-narrow', 'Light Modern', 480],
    ['hc', 'Default High Contrast', 1280],
  ] as const) {
    workbench.changeSettings({ ...settings, 'workbench.colorTheme': theme });
    await page.setViewportSize({ width, height: 800 });
    await workbench.open();
    // the palette does not learn of commands while it is open
    await shell.statusItem(/MCP \d\/4/).waitFor();
    await openPicker();
    await box(/^\s*memory/).click();
    await acceptBoxes();
    await shell.quickPick('Apply Changes: 1').waitFor();
    await workbench.screenshot(`switch-servers-${name}`);
    await page.keyboard.press('Escape');
    await shell.quickInput.waitFor({ state: 'hidden' });
  }
});
