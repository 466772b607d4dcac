/** The parts of VS Code that every test uses: palette, status bar, notifications, dialogs, trust editor. */
import type { Locator, Page } from 'playwright-core';

/** How long VS Code may take to answer one key or click before a step is tried again, which it is five times. */
export const answerTimeoutMs = 10_000;
/** The same for what may be asked again at no cost: what is lost is lost at once, and a busy machine takes its time. */
const patienceMs = [2000, 4000, 8000, answerTimeoutMs, answerTimeoutMs] as const;
/** How long a window may take to stand on a busy machine. */
const windowTimeoutMs = 120_000;
/** After how long it is looked whether what a step waits for has closed. */
const glanceMs = 1000;

/** What lists call a theme, where that is not what settings call it. */
const themeLabels: Readonly<Record<string, string>> = {
  'Default High Contrast': 'Dark High Contrast',
  'Default High Contrast Light': 'Light High Contrast',
};

export class Shell {
  constructor(readonly page: Page) {}

  async waitUntilReady(): Promise<void> {
    const parts = ['.monaco-workbench', '.statusbar-item', '.activitybar [role=tab]'];
    for (const part of parts) {
      await this.page.locator(part).first().waitFor({ timeout: windowTimeoutMs });
    }
  }

  // #region activity bar and status bar

  /** Shows a view container by the name of its Activity Bar item; does nothing when it is shown already. */
  async showContainer(name: string): Promise<void> {
    const tab = this.activityItem(name);
    await tab.waitFor();
    if ((await tab.getAttribute('aria-selected')) !== 'true') {
      await tab.click();
    }
    await this.page
      .locator('.sidebar .composite.title')
      .getByText(name, { exact: false })
      .waitFor();
  }

  activityItem(name: string): Locator {
    return this.page.locator('.activitybar').getByRole('tab', { name });
  }

  /** Status bar items whose text matches. */
  statusItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  /** Our status bar item that counts what waits for the user. */
  get waitingItem(): Locator {
    return this.page.locator('[id="pi-mcp.pi-mcp.piMcp.approvals"]');
  }

  /** Our status bar item while so many servers of so many are connected. */
  connectedItem(connected: number, enabled: number): Locator {
    const name = `MCP servers: ${connected} of ${enabled} connected`;
    return this.page.locator('.statusbar').getByLabel(name).first();
  }

  // #endregion

  // #region command palette and inputs

  /** Runs a command by its title, as a user types it into the palette. */
  async runCommand(title: string): Promise<void> {
    const entry = this.quickPick(title).first();
    // the palette closes when a page that is still loading takes the focus
    await this.tryAgain(async () => {
      await this.openQuickInput('F1');
      await this.whileOpen(async (timeout) => {
        // a list that stands takes up no command that comes, and the same text twice lists nothing anew
        await this.quickInputText.fill('>', { timeout });
        await this.quickInputText.fill(`>${title}`, { timeout });
        // a click would wait for an entry that went with the palette
        await entry.click({ timeout: 2 * timeout, trial: true });
      });
      await entry.click({ timeout: answerTimeoutMs });
    });
  }

  /** Presses a key until its input opens: a window that has just been opened takes none for a moment. */
  async openQuickInput(key: string): Promise<void> {
    const end = performance.now() + answerTimeoutMs;
    do {
      await this.page.keyboard.press(key);
      try {
        return await this.quickInput.waitFor({ timeout: glanceMs });
      } catch {
        // the key was lost
      }
    } while (performance.now() < end);
  }

  /** Writes into the palette or the input that opens; rejects soon when it closes again. */
  async fillQuickInput(text: string): Promise<void> {
    await this.quickInputText.waitFor({ timeout: answerTimeoutMs });
    await this.whileOpen((timeout) => this.quickInputText.fill(text, { timeout }));
  }

  /** Repeats a step that has to do with the open quick input, for as long as VS Code may take to answer. */
  private async whileOpen(step: (timeoutMs: number) => Promise<void>): Promise<void> {
    const end = performance.now() + answerTimeoutMs;
    for (;;) {
      try {
        return await step(glanceMs);
      } catch (error) {
        if (performance.now() > end || !(await this.quickInput.isVisible())) {
          throw error;
        }
      }
    }
  }

  /** Runs a command that offers a choice, and chooses. */
  async runAndChoose(title: string, entry: string): Promise<void> {
    // a focused tree that is drawn anew takes the focus back, which closes what is to be chosen from
    await this.tryAgain(async () => {
      await this.runCommand(title);
      await this.quickPick(entry).first().click({ timeout: answerTimeoutMs });
    });
  }

  /** Changes the theme of the open window. @param theme as settings call it */
  async chooseTheme(theme: string): Promise<void> {
    const label = themeLabels[theme] ?? theme;
    await this.tryAgain(async () => {
      await this.runCommand('Preferences: Color Theme');
      await this.fillQuickInput(label);
      await this.pickRow(label).first().click({ timeout: answerTimeoutMs });
    });
    await this.quickInput.waitFor({ state: 'hidden' });
  }

  /** Repeats a request until its answer is there, as a user does with an editor whose languages still load. */
  async askUntilShown(ask: () => Promise<void>, answer: Locator): Promise<void> {
    await this.tryAgain(async (timeout) => {
      await ask();
      await answer.waitFor({ timeout });
    });
  }

  /** Repeats a step that fails, a few times. @param step is told how long it may wait, where it costs nothing to try again */
  async tryAgain(step: (waitMs: number) => Promise<void>): Promise<void> {
    for (const [attempt, waitMs] of patienceMs.entries()) {
      try {
        return await step(waitMs);
      } catch (error) {
        if (attempt === patienceMs.length - 1) {
          throw error;
        }
      }
    }
  }

  /** Picks the entry of the open quick pick that has this label, icons aside. */
  async pick(label: string): Promise<void> {
    // what lies under the mouse shows its tooltip over the row below
    await this.page.mouse.move(0, 0);
    await this.pickRow(label).click();
  }

  pickRow(label: string): Locator {
    const exact = new RegExp(`^\\s*${label}\\s*$`);
    const name = this.page.locator('.label-name').filter({ hasText: exact });
    return this.quickInput.locator('.monaco-list-row').filter({ has: name });
  }

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  private get quickInputText(): Locator {
    return this.quickInput.locator('input[type=text]');
  }

  /** An entry of the open quick pick. */
  quickPick(text: string | RegExp): Locator {
    return this.quickInput.locator('.monaco-list-row').filter({ hasText: text });
  }

  // #endregion

  // #region notifications and dialogs

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  /** The modal dialog. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  async answerDialog(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button }).click();
    await this.dialog.waitFor({ state: 'detached' });
  }

  // #endregion

  // #region workspace trust

  get restrictedModeItem(): Locator {
    return this.statusItem('Restricted Mode');
  }

  /** Grants Workspace Trust in VS Code's own editor, which stays open. */
  async trustWorkspace(): Promise<void> {
    // the palette has the command only once VS Code knows that the workspace is not trusted
    await this.restrictedModeItem.waitFor();
    await this.runCommand('Workspaces: Manage Workspace Trust');
    const trust = this.trustEditor.getByRole('button', { name: 'Trust', exact: true });
    // a click is lost while the editor still fills
    await this.tryAgain(async () => {
      if (await this.restrictedModeItem.isVisible()) {
        await trust.click({ timeout: answerTimeoutMs });
      }
      await this.restrictedModeItem.waitFor({ state: 'detached', timeout: answerTimeoutMs });
    });
  }

  get trustEditor(): Locator {
    return this.page.locator('.workspace-trust-editor');
  }

  // #endregion

  /** Closes the modal editor, such as the trust editor, which older ones open as a tab. */
  async closeModalEditor(): Promise<void> {
    const block = this.page.locator('.monaco-modal-editor-block');
    if (!(await block.isVisible())) {
      return this.runCommand('View: Close Editor');
    }
    await block.getByRole('button', { name: /^Close/ }).click();
    await block.waitFor({ state: 'hidden' });
  }
}
