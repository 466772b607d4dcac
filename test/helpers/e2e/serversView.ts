/** The tree of servers. Rows are found by what a screen reader says about them. */
import type { Locator, Page } from 'playwright-core';
import { answerTimeoutMs, type Shell } from './shell.js';

/** For how long VS Code's menus take no clicks, and more. */
const menuRestMs = 150;
/** How long a menu may take to go when something was picked. */
const menuTimeoutMs = 1000;

export class ServersView {
  constructor(
    private readonly page: Page,
    private readonly shell: Shell,
  ) {}

  async show(): Promise<void> {
    await this.shell.showContainer('Pi MCP');
  }

  get rows(): Locator {
    return this.page.locator('.sidebar').getByRole('treeitem');
  }

  /** A row whose spoken text starts with the name; the rest may be matched too. */
  row(name: string, rest = ''): Locator {
    return this.rows.and(
      this.page.getByRole('treeitem', { name: new RegExp(`^${name}, .*${rest}`) }),
    );
  }

  /** What stands above the tree. */
  message(text: string): Locator {
    return this.page
      .locator('.sidebar .tree-explorer-viewlet-tree-view .message')
      .filter({ hasText: text });
  }

  async waitForBadge(text: string): Promise<void> {
    await this.shell
      .activityItem('Pi MCP')
      .locator('.badge-content')
      .getByText(text, { exact: true })
      .waitFor();
  }

  /** The row that holds what a server offers of one kind. */
  group(server: string, label: 'Tools' | 'Resources' | 'Prompts' | 'Skills'): Locator {
    return this.rows.and(
      this.page.getByRole('treeitem', { name: new RegExp(`^${label}\\b.* server ${server}$`) }),
    );
  }

  async waitForServer(name: string, stateWord: string): Promise<void> {
    await this.row(name, stateWord).first().waitFor();
  }

  /** Opens a node that is closed. */
  async expand(row: Locator): Promise<void> {
    // a row that is drawn anew under the mouse takes no click
    await this.shell.askUntilShown(
      async () => {
        if ((await row.getAttribute('aria-expanded')) === 'false') {
          await row.locator('.monaco-tl-twistie').click();
        }
      },
      row.and(this.page.locator('[aria-expanded=true]')),
    );
  }

  /** Clicks an inline action of a row. */
  async clickAction(row: Locator, title: string): Promise<void> {
    // a row that is drawn anew, or moved by others, is no longer under the pointer
    await this.shell.tryAgain(async () => {
      await row.hover();
      await row.getByRole('button', { name: title }).click({ timeout: answerTimeoutMs });
    });
  }

  /** The context menu that is open. */
  get menu(): Locator {
    return this.page.locator('.context-view .monaco-menu');
  }

  /** What leads from the context menu of a row to another one. */
  get moreInMenu(): Locator {
    return this.menu.getByRole('menuitem', { name: /^(?:More|Gateway)$/ });
  }

  /** Opens the context menu of a row, again and again until it is as expected. */
  async openMenu(row: Locator, expected: Locator): Promise<void> {
    // a row that is about to be drawn anew still opens the menu of what it was
    await this.shell.askUntilShown(async () => {
      // a page of ours that has the focus hands keys on late, and this one would close the next menu
      if (await this.menu.first().isVisible()) {
        await this.page.keyboard.press('Escape');
        await this.page.keyboard.press('Escape');
        await this.menu.first().waitFor({ state: 'hidden' });
      }
      await row.click({ button: 'right' });
    }, expected);
  }

  /** Picks an entry of a row's context menu, or of the one that it leads to. */
  async pickFromMenu(row: Locator, title: string): Promise<void> {
    const entry = this.menu.getByRole('menuitem', { name: title });
    await this.shell.tryAgain(async () => {
      // a tree that is drawn anew takes the focus back, which closes the menu; a key would then go to the tree
      if (!(await entry.isVisible())) {
        await this.openMenu(row, entry.or(this.moreInMenu).first());
      }
      if (!(await entry.isVisible())) {
        await this.moreInMenu.click({ timeout: answerTimeoutMs, delay: menuRestMs });
      }
      // a menu takes no clicks in its first moments, so that the one that opened it picks nothing; what counts is its end
      await entry.click({ timeout: answerTimeoutMs, delay: menuRestMs });
      await this.menu.first().waitFor({ state: 'hidden', timeout: menuTimeoutMs });
    });
  }

  /** Picks an entry of the menu behind the title of the view. */
  async pickFromTitle(title: string): Promise<void> {
    await this.show();
    const more = this.page
      .locator('.sidebar .composite.title')
      .getByRole('button', { name: 'Views and More Actions' });
    const entry = this.menu.getByRole('menuitem', { name: title });
    await this.shell.tryAgain(async () => {
      if (!(await entry.isVisible())) {
        await more.click({ timeout: answerTimeoutMs });
      }
      await entry.click({ timeout: answerTimeoutMs, delay: menuRestMs });
      await this.menu.first().waitFor({ state: 'hidden', timeout: menuTimeoutMs });
    });
  }
}
