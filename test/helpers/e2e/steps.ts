/** Steps that several tests begin with. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { pageOf } from './webview.js';
import type { Workbench } from './workbench.js';

export const sampleServers = ['everything', 'filesystem', 'memory', 'remote'] as const;

/** Trusts the workspace and the folder's servers; resolves when VS Code is free again. */
export async function trustEverything(workbench: Workbench): Promise<void> {
  await workbench.shell.trustWorkspace();
  await workbench.shell.closeModalEditor();
  await review(workbench);
  await answerReview(workbench, 'Trust Whole Folder');
}

/** The page of consent. */
export const consentPage = ({ page }: Pick<Workbench, 'page'>) => pageOf(page, 'editor');

/** Opens the page with the servers that wait, which are known a moment after the window stands. */
export async function review(workbench: Workbench): Promise<void> {
  await workbench.shell.askUntilShown(
    () => workbench.shell.runCommand('Pi MCP: Review Servers'),
    workbench.editor.tab('Review MCP Servers'),
  );
}

/** Reads the page to its end, as it has to be, and answers. Servers that are odd have to be ticked before. */
export async function answerReview(
  workbench: Workbench,
  answer: 'Trust Whole Folder' | 'Trust Selected' | 'Accept Selected' | 'Not Now',
): Promise<void> {
  const page = consentPage(workbench);
  await page.getByRole('button', { name: 'Not Now' }).waitFor();
  if (answer === 'Not Now') {
    await page.getByRole('button', { name: answer }).click();
  } else {
    await (answer === 'Trust Whole Folder'
      ? page.getByRole('button', { name: 'More Answers' }).click()
      : tickAll(page));
    await readThrough(page);
    await page.locator('vscode-button:not([disabled])', { hasText: answer }).click();
  }
  await workbench.editor.tab('Review MCP Servers').waitFor({ state: 'detached' });
}

async function tickAll(page: FrameLocator): Promise<void> {
  for (const box of await page.locator('vscode-checkbox').all()) {
    if ((await box.getAttribute('aria-checked')) === 'false') {
      await box.click();
    }
  }
}

/** Card by card, each of which has to have been in view. */
async function readThrough(page: FrameLocator): Promise<void> {
  await page.locator('main').evaluate(async (main) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (const part of main.querySelectorAll('.card, .rules > i')) {
      part.scrollIntoView({ block: 'center' });
      await frame();
    }
  });
}

export async function connectSample(workbench: Workbench): Promise<void> {
  await trustEverything(workbench);
  await workbench.shell.connectedItem(sampleServers.length, sampleServers.length).waitFor();
}

/** Gives the user a choice of models; before the agent view is shown. */
export function addSecondModel({ agentDir }: Workbench): void {
  const path = join(agentDir, 'models.json');
  const { providers } = JSON.parse(readFileSync(path, 'utf8'));
  const [first] = providers.demo.models;
  providers.demo.models.push({ ...first, id: 'demo-2', name: 'Second (offline)' });
  writeFileSync(path, JSON.stringify({ providers }));
}
