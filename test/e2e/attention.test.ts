/** What somebody is told of a conversation while the window has not the focus. */
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench(
  { settings: { 'piMcp.agent.notify': 'windowNotFocused', 'piMcp.agent.sound': true } },
  async (workbench) => {
    await connectSample(workbench);
    await workbench.agent.show();
    await workbench.agent.frame.locator('.model-picker').waitFor();
  },
);

/** As when the user goes to another program. */
async function leaveWindow(): Promise<() => Promise<void>> {
  const { page } = workbench;
  const session = await page.context().newCDPSession(page);
  // otherwise every page believes to have it
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(() => void window.open('about:blank', '_blank', 'popup')),
  ]);
  await other.bringToFront();
  await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(false);
  return async () => {
    await other.close();
    await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await page.bringToFront();
  };
}

/** The notes that the page plays from now on, in hertz. */
async function listen(): Promise<() => Promise<readonly number[]>> {
  const body = workbench.agent.frame.locator('body');
  await body.evaluate(() => {
    const played: number[] = [];
    (window as unknown as { played: number[] }).played = played;
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (this: OscillatorNode, when?: number) {
      played.push(this.frequency.value);
      start.call(this, when);
    };
  });
  return () => body.evaluate(() => [...(window as unknown as { played: number[] }).played]);
}

it('tells once that Pi waits, with a way there and the sound that was chosen', async () => {
  const { agent, shell } = workbench;
  const played = await listen();
  await agent.ask('write told.txt hello');
  const comeBack = await leaveWindow();
  await agent.approval('Create told.txt?').waitFor();
  const notice = shell.notification('Pi needs you: write told.txt hello');
  await notice.waitFor();
  expect(await notice.count()).toBe(1);
  await expect.poll(played).toEqual([660, 880]);
  await workbench.screenshot('attention-notice');
  await comeBack();
  await agent.hide();
  await notice.getByRole('button', { name: 'Open', exact: true }).click();
  await agent.approval('Create told.txt?').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('The tool answered').waitFor();
});

it('says nothing to who looks', async () => {
  const { agent, shell } = workbench;
  const played = await listen();
  await agent.ask('write seen.txt hello');
  await agent.approval('Create seen.txt?').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('write', 'done').last().waitFor();
  await agent.frame.locator('.composer').getByRole('button', { name: 'Send' }).waitFor();
  expect(await shell.notification(/Pi needs you|Pi has answered/).count()).toBe(0);
  expect(await played()).toEqual([]);
});
