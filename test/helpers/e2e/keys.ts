/** A user without a mouse. */
import type { Locator, Page } from 'playwright-core';
import { answerTimeoutMs, type Shell } from './shell.js';

export class Keys {
  /** What was pressed with a mouse all the same, in any frame of the window. */
  readonly clicks: string[] = [];

  private constructor(
    private readonly page: Page,
    private readonly shell: Shell,
  ) {}

  /** For the open window, and pages that it opens from then on. */
  static async of(page: Page, shell: Shell): Promise<Keys> {
    const keys = new Keys(page, shell);
    await page.exposeBinding('tellClick', (_source, what: string) => keys.clicks.push(what));
    const listen = () => {
      const { tellClick } = window as unknown as { tellClick?: (what: string) => void };
      const tell = ({ isTrusted, target }: Event) =>
        isTrusted && tellClick?.(target instanceof Element ? target.outerHTML.slice(0, 200) : '');
      document.addEventListener('pointerdown', tell, { capture: true });
    };
    await page.addInitScript(listen);
    await page.evaluate(listen);
    return keys;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Runs a command of the palette. */
  async command(title: string): Promise<void> {
    await this.shell.tryAgain(async () => {
      await this.press('F1');
      await this.choose(title);
    });
  }

  /** Takes the entry of the open quick pick that the words lead to. */
  async choose(words: string): Promise<void> {
    const { quickInput } = this.shell;
    await quickInput.locator('input[type=text]:focus').waitFor({ timeout: answerTimeoutMs });
    await this.type(words);
    const first = quickInput.locator('.monaco-list-row.focused').filter({ hasText: words });
    await first.waitFor({ timeout: answerTimeoutMs });
    await this.press('Enter');
  }

  /** Allows a call. The key counts once the question was there for a moment. */
  async allow(approval: Locator): Promise<void> {
    await this.shell.tryAgain(async () => {
      await this.press('Control+Enter');
      await approval.waitFor({ state: 'hidden', timeout: 2_000 });
    });
  }

  /** Goes on with Tab, up to one element. @throws when it is not on the way */
  async tabTo(label: string, focused: () => Promise<string>): Promise<void> {
    const passed: string[] = [];
    for (let step = 0; step < 40; step++) {
      await this.press('Tab');
      const name = await focused();
      if (name === label) {
        return;
      }
      passed.push(name);
    }
    throw new Error(`Tab leads to ${passed.join(', ')}, and not to ${label}`);
  }
}
