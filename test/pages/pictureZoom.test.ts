/** Pictures of results on the page: they open larger, by mouse and by keyboard, and lead back to where they stand. */
import { expect, it } from 'vitest';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots, redPixel } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { empty } = agentSnapshots;
const call = {
  id: 't1',
  kind: 'tool',
  tool: 'demo__draw',
  mcp: { server: 'demo', tool: 'draw' },
  args: '',
  status: 'done',
  result: [{ kind: 'image', mimeType: 'image/png', data: redPixel }],
};
const running = { ...empty, transcript: [call], state: { ...empty.state, status: 'running' } };

it('enlarges a picture by keyboard', async () => {
  const replies = { ready: running };
  const page = await pages.open({ page: 'agent', replies, width: 280, height: 600 });
  const fold = page.getByRole('button', { name: 'Result' });
  const button = page.getByRole('button', { name: 'Image' });
  await fold.waitFor();
  if (!(await button.isVisible())) {
    await fold.click();
  }
  await button.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Image' });
  const image = dialog.getByRole('img', { name: 'Image' });
  const width = async () => (await image.boundingBox())?.width ?? 0;
  await image.waitFor();
  const before = await width();
  await page.keyboard.press('+');
  await dialog.getByText('150 %').waitFor();
  expect(await width()).toBeGreaterThan(before);
  expect(await faultsInAllLooks(page, 'picture-zoom', [280])).toEqual([]);
  await dialog.getByRole('button', { name: 'Zoom Out' }).click();
  await dialog.getByText('100 %').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await button.and(page.locator(':focus')).count()).toBe(1);
  const sent = await page.evaluate(() =>
    (window as unknown as { sent: { type: string }[] }).sent.map(({ type }) => type),
  );
  expect(sent).not.toContain('stop');
});
