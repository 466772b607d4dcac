/** Text editors. */
import type { Locator, Page } from 'playwright-core';
import { answerTimeoutMs, type Shell } from './shell.js';

export class Editor {
  constructor(
    private readonly page: Page,
    private readonly shell: Shell,
  ) {}

  /** Opens a file of the workspace by its name. */
  async open(name: string): Promise<void> {
    await this.shell.askUntilShown(async () => {
      await this.shell.openQuickInput('Control+P');
      await this.shell.fillQuickInput(name);
      await this.shell.quickPick(name).first().waitFor({ timeout: answerTimeoutMs });
      // rows move as long as files are looked for
      await this.shell.quickInput
        .locator('.monaco-progress-container.active')
        .waitFor({ state: 'hidden', timeout: answerTimeoutMs });
      await this.shell.quickPick(name).first().click({ timeout: answerTimeoutMs });
    }, this.activeTab(name));
    await this.content.locator('.view-line').first().waitFor();
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name: new RegExp(`^${name}`) });
  }

  get content(): Locator {
    return this.activeGroup.locator('.monaco-editor').first();
  }

  private activeTab(name: string): Locator {
    return this.activeGroup.getByRole('tab', { name: new RegExp(`^${name}`), selected: true });
  }

  private get activeGroup(): Locator {
    return this.page.locator('.editor-group-container.active');
  }

  /** Puts the cursor behind the first occurrence of a text. */
  async placeCursorAfter(text: string): Promise<void> {
    await this.content.locator('.view-lines').click();
    await this.page.keyboard.press('Control+F');
    const find = this.content.locator('.find-widget');
    await find.getByRole('textbox', { name: 'Find' }).fill(text);
    await this.page.keyboard.press('Enter');
    await find
      .locator('.matchesCount')
      .filter({ hasText: /\d of \d/ })
      .waitFor();
    // a hover that opened under the mouse takes the first one
    await this.shell.tryAgain(async (timeout) => {
      await this.page.keyboard.press('Escape');
      await this.content.locator('.find-widget.visible').waitFor({ state: 'detached', timeout });
    });
    await this.page.keyboard.press('ArrowRight');
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.insertText(text);
  }

  async save(): Promise<void> {
    await this.page.keyboard.press('Control+S');
    await this.page.locator('.tab.active:not(.dirty)').waitFor();
  }

  async closeAll(): Promise<void> {
    await this.shell.runCommand('View: Close All Editors');
  }

  get suggestions(): Locator {
    return this.page.locator('.suggest-widget .monaco-list-row');
  }

  /** Asks for suggestions at the cursor until one of them holds the text: a language that still loads has none. */
  async suggest(text: string): Promise<void> {
    await this.shell.askUntilShown(async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+Space');
    }, this.suggestions.filter({ hasText: text }).first());
  }

  get hover(): Locator {
    return this.page.locator('.monaco-hover:not(.hidden)');
  }

  /** Asks for the hover at the cursor until it holds the text. */
  async showHover(text: string | RegExp): Promise<Locator> {
    const hover = this.hover.filter({ hasText: text }).first();
    await this.shell.askUntilShown(() => this.shell.runCommand('Show or Focus Hover'), hover);
    return hover;
  }

  /** Moves the mouse over a token of the text until a hover holds the other text. */
  async hoverOver(token: string, text: string | RegExp): Promise<Locator> {
    const hover = this.hover.filter({ hasText: text }).first();
    const place = this.content.locator('.view-lines').getByText(token, { exact: true }).first();
    await this.placeCursorAfter(token);
    await this.shell.askUntilShown(async () => {
      // a hover that is still open may cover the token
      await this.page.mouse.move(0, 0);
      await this.hover.first().waitFor({ state: 'hidden' });
      // a locator's own hover would scroll the token below the lines that stick to the top
      const box = await place.boundingBox({ timeout: answerTimeoutMs });
      if (!box) {
        throw new Error(`${token} is not in sight`);
      }
      await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
    }, hover);
    return hover;
  }

  /** Opens the light bulb's menu at the cursor and picks a fix. */
  async applyFix(title: string | RegExp): Promise<void> {
    const fix = this.page.locator('.action-widget .monaco-list-row').filter({ hasText: title });
    // a menu that opens while the problems are still being looked for closes again
    await this.shell.askUntilShown(() => this.page.keyboard.press('Control+.'), fix.first());
    await fix.first().click();
  }

  /** A lens above a line of the editor. */
  lens(title: string | RegExp): Locator {
    return this.content.locator('.codelens-decoration a').filter({ hasText: title });
  }

  /** A line of the editor that holds the text. */
  line(text: string): Locator {
    return this.content.locator('.view-line').filter({ hasText: text });
  }

  /** Problems of the Problems panel. */
  problem(text: string | RegExp): Locator {
    return this.page.locator('.markers-panel .monaco-list-row').filter({ hasText: text });
  }

  async showProblems(): Promise<void> {
    await this.shell.runCommand('Problems: Focus on Problems View');
    // it takes the focus a moment after it is shown
    await this.page.locator('.part.panel:focus-within .markers-panel').waitFor();
  }
}
