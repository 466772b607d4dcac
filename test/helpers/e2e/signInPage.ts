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

/**
 * Allows what is asked for at oidc-provider, and signs in there if nobody is; closes the page.
 * @param start the page where it begins, which is opened directly: the proxy of an editor that runs in a browser loses
 *   the cookies, which are for paths
 */
export async function allowAtOidc(signInPage: Page, start: URL): Promise<void> {
  await signInPage.goto(start.href);
  const login = signInPage.getByPlaceholder('Enter any login');
  const consent = signInPage.getByRole('button', { name: 'Continue' });
  await login.or(consent).waitFor();
  if (await login.isVisible()) {
    await login.fill('someone');
    await signInPage.getByPlaceholder('and password').fill('of-no-importance');
    await signInPage.getByRole('button', { name: 'Sign-in' }).click();
  }
  await consent.click();
  await signInPage.getByText('You are signed in').waitFor();
  await signInPage.close();
}
