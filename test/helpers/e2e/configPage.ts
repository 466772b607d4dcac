/** The configuration editor. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { pageOf } from './webview.js';

export class ConfigPage {
  readonly frame: FrameLocator;

  constructor(page: Page) {
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

  /** A button of a server's row, such as `Edit`. */
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

  async fill(label: string, value: string): Promise<void> {
    await this.box(label).fill(value);
  }
}
