/** The list of servers, and the forms of their entries on the pages of the servers. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Shell } from './shell.js';
import { pageOf } from './webview.js';

export class ConfigPage {
  readonly frame: FrameLocator;

  constructor(
    private readonly page: Page,
    private readonly shell: Shell,
  ) {
    this.frame = pageOf(page, 'editor');
  }

  get title(): Locator {
    return this.frame.locator('h1');
  }

  server(name: string): Locator {
    return this.frame.locator(`[data-server="${name}"]`);
  }

  async waitForState(name: string, state: string): Promise<void> {
    await this.frame.locator(`[data-server="${name}"][data-state="${state}"]`).waitFor();
  }

  /** Brings the list to the front. */
  async list(): Promise<void> {
    await this.shell.runCommand('Pi MCP: Configure Servers');
    await this.title.getByText('MCP Servers').waitFor();
  }

  /** The form of a server, on its page, by way of the list. */
  async edit(name: string): Promise<void> {
    await this.list();
    await this.button(name).click();
    await this.frame.getByRole('heading', { name, level: 1 }).waitFor();
    await this.frame.getByRole('tab', { name: 'Settings' }).click();
    await this.box('Name').waitFor();
  }

  /** The state of the server whose page is shown. */
  async waitForWord(word: string): Promise<void> {
    await this.frame.locator('.state-word').getByText(word, { exact: true }).waitFor();
  }

  /** What came of the last step of the form. */
  outcome(text: string): Locator {
    return this.frame.locator('.outcome').getByText(text);
  }

  /** What is typed is given up. */
  async discard(): Promise<void> {
    await this.button('Discard').click();
    await this.frame.locator('#keep-editing').waitFor();
    await this.button('Discard').click();
  }

  /** A button of a server's row that does the one thing about it. */
  action(name: string, label: string): Locator {
    return this.button(`${label}: server ${name}`);
  }

  button(label: string): Locator {
    return this.frame.getByRole('button', { name: label, exact: true });
  }

  checkbox(label: string | RegExp): Locator {
    return this.frame.getByRole('checkbox', { name: label });
  }

  box(label: string): Locator {
    return this.frame.getByRole('textbox', { name: label, exact: true });
  }

  /** The tab, whose title says whether something is not saved. */
  tab(title: string): Locator {
    return this.page.getByRole('tab', { name: title, exact: true });
  }

  /** A sentence beside a field. */
  fieldProblem(text: string | RegExp): Locator {
    return this.frame.locator('.field-problem').filter({ hasText: text });
  }

  async fill(label: string, value: string): Promise<void> {
    await this.box(label).fill(value);
  }
}
