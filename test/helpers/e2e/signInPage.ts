/** The pages of authorization servers, as a user of the browser sees them. */
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

/** Allows what is asked for on the page of our authorization server that `start` opens, and closes it. */
export async function allowAtOurs(
  workbench: Workbench,
  start: () => Promise<unknown>,
): Promise<void> {
  const signInPage = await openedPage(workbench, start);
  await signInPage.getByRole('button', { name: 'Allow' }).click();
  await signInPage.getByText('You are signed in').waitFor();
  await signInPage.close();
}
