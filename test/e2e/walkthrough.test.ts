/** The walkthrough in the real VS Code: its pictures, its code and every link of its steps. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { themes } from '../helpers/e2e/appearance.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await open();
});

const steps = ['add', 'trust', 'probe', 'ask'] as const;

async function open(): Promise<void> {
  const { page, shell } = workbench;
  await shell.runAndChoose('Welcome: Open Walkthrough...', 'Get Started with Pi MCP');
  await page.locator('.getting-started-step').first().waitFor();
}

async function openStep(id: string): Promise<Locator> {
  const step = workbench.page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  await step.waitFor();
  if ((await step.getAttribute('aria-expanded')) !== 'true') {
    await step.click();
  }
  await step.and(workbench.page.locator('[aria-expanded=true]')).waitFor();
  return step;
}

const picture = () =>
  workbench.page
    .frameLocator('iframe.webview.ready:visible')
    .frameLocator('#active-frame')
    .locator('svg');

it.each(themes)('shows a picture for each step in the %s theme', async (name, theme) => {
  const { page } = workbench;
  // VS Code shows pictures only where there is room
  await page.setViewportSize({ width: 1600, height: 800 });
  await workbench.showTheme(theme);
  await open();
  for (const id of steps) {
    await openStep(id);
    // VS Code replaces the page of the step before
    await expect.poll(async () => (await picture().boundingBox())?.width ?? 0).toBeGreaterThan(200);
    await workbench.screenshot(`walkthrough-${id}-${name}`);
  }
});

it('renders its code, and shows no marks of Markdown', async () => {
  for (const id of steps) {
    const step = await openStep(id);
    const text = await step.locator('.step-description-container').textContent();
    expect(text).not.toMatch(/[`*]|\]\(/);
  }
  const add = await openStep('add');
  await add.locator('code').getByText('.mcp.json').waitFor();
});

interface Link {
  readonly step: (typeof steps)[number];
  readonly label: string;
  /** What is there once it was followed. */
  readonly leadsTo: () => Locator;
}

const links: readonly Link[] = [
  { step: 'add', label: 'Add Server', leadsTo: quickInput },
  { step: 'add', label: 'Import Servers', leadsTo: () => quickInput().or(message()) },
  { step: 'add', label: 'open the file', leadsTo: () => quickInput().or(tab('.mcp.json')) },
  { step: 'trust', label: 'Review Servers', leadsTo: () => workbench.shell.dialog.or(message()) },
  { step: 'trust', label: 'revoked', leadsTo: quickInput },
  { step: 'probe', label: 'Test Server', leadsTo: quickInput },
  { step: 'probe', label: 'log', leadsTo: quickInput },
  { step: 'ask', label: 'log in', leadsTo: quickInput },
  { step: 'ask', label: 'Open Pi Agent', leadsTo: () => workbench.agent.composer },
];

it.each(links)('leads from "$label" to what it says', async ({ step, label, leadsTo }) => {
  const { page } = workbench;
  await open();
  const shown = await openStep(step);
  const link = shown
    .getByRole('button', { name: label, exact: true })
    .or(shown.getByRole('link', { name: label, exact: true }))
    .or(shown.locator('a').getByText(label, { exact: true }));
  await link.first().click();
  await leadsTo().first().waitFor();
  await workbench.screenshot(`walkthrough-link-${label.replace(/\W+/g, '-')}`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});

it('has tried every link that its steps have', async () => {
  await open();
  const found: string[] = [];
  for (const id of steps) {
    const step = await openStep(id);
    const labels = await step
      .locator('.step-description-container :is(a, .monaco-button)')
      .allTextContents();
    found.push(...labels.map((label) => label.trim()));
  }
  expect(found.sort()).toEqual(links.map(({ label }) => label).sort());
});

function quickInput(): Locator {
  return workbench.page.locator('.quick-input-widget:visible');
}

function message(): Locator {
  return workbench.page.locator('.notification-toast');
}

function tab(name: string): Locator {
  return workbench.editor.tab(name);
}
