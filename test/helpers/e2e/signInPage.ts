/** Pages of authorization servers that open in the user's browser. */
import type { Page } from 'playwright-core';
import type { Workbench } from './workbench.js';

/** The page that `start` opens. */
export async function openedPage(
  { page }: Workbench,
  start: () => Promise<unknown>,
): Promise<Page> {
  const [opened] = await Promise.all([page.context().waitForEvent('page'), start()]);
  return opened;
}
