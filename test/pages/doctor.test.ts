/** The page of Doctor in a real browser, with the extension's side played by sample states. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sent, spoken } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { doctorStates, illReport, wellReport } from '../helpers/pages/states/doctor.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

function open(replies: Record<string, unknown>): Promise<Page> {
  return pages.open({ page: 'doctor', replies, height: 900 });
}

/** As the extension does when something has changed. */
function receive(page: Page, report: unknown): Promise<void> {
  return page.evaluate((params) => window.postMessage({ type: 'report', params }, '*'), report);
}

const button = (page: Page, name: string) => page.getByRole('button', { name });
const said = spoken;

it('offers nothing for a server that starts twice: that is asked once, for the workspace', async () => {
  const page = await open({ look: illReport });
  const twice = page.getByRole('region', { name: 'Also Running Elsewhere' });
  await twice.getByText('may start a copy of its own').waitFor();
  expect(await twice.locator('vscode-button').count()).toBe(0);
});

it.each(Object.keys(doctorStates))(
  'has no violation in any theme, and nothing cut at 280 px: %s',
  async (state) => {
    const { replies = {}, steps = async () => undefined } = doctorStates[state] ?? {};
    const page = await open(replies);
    await steps(page);
    expect(await faultsInAllLooks(page, `doctor-${state}`, [900, 280])).toEqual([]);
  },
);

it('copies, looks again and leads to a server by keyboard alone, and says so', async () => {
  const page = await open({ look: illReport });
  await button(page, 'Copy Report').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => said(page)).toBe('Copied');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => sent(page, 'look')).toHaveLength(2);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => sent(page, 'openServer')).toEqual([{ id: 'global weather' }]);
});

it('ends what it shows, and nothing else', async () => {
  const page = await open({
    look: illReport,
    endLeftovers: { text: 'Stopped: 2.', isWarning: false },
  });
  await button(page, 'Stop Them').click();
  await expect.poll(() => sent(page, 'endLeftovers')).toEqual([{ keys: ['one', 'two'] }]);
  await receive(page, { ...illReport, leftovers: [] });
  await expect.poll(() => said(page)).toBe('Stopped: 2.');
  expect(await button(page, 'Stop Them').count()).toBe(0);
});

it('lists the servers that need the user alone, and follows what changes', async () => {
  const page = await open({ look: wellReport });
  const servers = page.getByRole('region', { name: 'Servers' });
  await servers.getByText(/^0 of \d+ servers need attention\.$/).waitFor();
  expect(await servers.getByRole('button').count()).toBe(0);
  await receive(page, illReport);
  const failing = illReport.servers.filter(({ needsUser }) => needsUser);
  await expect.poll(() => servers.locator('li button').count()).toBe(failing.length);
  await servers.getByText('Cannot find module').waitFor();
});

it('shows markup in whatever others wrote, and runs none of it', async () => {
  const markup = '<img src=x onerror="window.ran = true"><script>window.ran = true</script>';
  const [server] = illReport.servers;
  const text = `${markup}\u202e`;
  const hostile = {
    ...illReport,
    files: [{ path: text, message: text }],
    servers: [
      {
        ...server,
        name: text,
        reason: text,
        sentence: text,
        next: text,
        notes: [text],
        evidence: [text],
        facts: [{ label: text, text }],
      },
    ],
    doubleStarts: [{ server: text, client: text, kind: 'would', text }],
    leftovers: [{ key: text, command: text, facts: [{ label: text, text }] }],
    calls: [{ label: text, text }],
  };
  const page = await open({ look: hostile });
  await page.getByRole('button', { name: markup }).first().waitFor();
  const main = page.locator('main');
  // the canary runs when it is asked to
  const ran = () => page.evaluate(() => 'ran' in window);
  expect([await main.locator('img, script').count(), await ran()]).toEqual([0, false]);
  expect(await main.textContent()).not.toContain('\u202e');
  expect(await main.textContent()).toContain('\\u202e');
  expect(
    await page.evaluate(() => {
      Object.assign(window, { ran: true });
      return 'ran' in window;
    }),
  ).toBe(true);
});
