/** The configuration editor. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { pageOf } from './webview.js';

export class ConfigPage {
  readonly frame: FrameLocator;

  constructor(private readonly page: Page) {
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
