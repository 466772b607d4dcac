/** The conversation with Pi, in its view or in its tab. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Shell } from './shell.js';
import { pageOf } from './webview.js';

export class AgentView {
  readonly frame: FrameLocator;

  constructor(
    page: Page,
    private readonly shell: Shell,
    place: 'view' | 'editor' = 'view',
  ) {
    this.frame = pageOf(page, place);
  }

  async show(): Promise<void> {
    await this.shell.runCommand('Pi MCP: Open Pi Agent');
    await this.composer.waitFor();
  }

  /** In the place of the one that is shown; resolves when it is there, empty. */
  async newConversation(): Promise<void> {
    await this.shell.runCommand('Pi MCP: New Conversation');
    await this.frame.getByText('Ask Pi about your code').waitFor();
  }

  /** Takes the place of the view out of sight. */
  async hide(): Promise<void> {
    await this.shell.runCommand('View: Hide Secondary Side Bar');
    await this.composer.waitFor({ state: 'hidden' });
  }

  get composer(): Locator {
    return this.frame.locator('#composer-text');
  }

  async ask(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.button('Send').click();
  }

  /** By the keyboard: notices may lie over the button. */
  async enter(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  /** A line that begins with a slash: its list would take the Enter. */
  async command(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Escape');
    await this.composer.press('Enter');
  }

  /** Types an `@` with some letters and picks the row. */
  async mention(letters: string, row: RegExp): Promise<void> {
    const option = this.frame.getByRole('option', { name: row }).first();
    await this.shell.tryAgain(async () => {
      // what extensions find out meanwhile is there for the next letters
      await this.composer.fill('');
      await this.composer.pressSequentially(`@${letters}`);
      await option.waitFor({ timeout: 5_000 });
    });
    await option.click();
  }

  button(label: string): Locator {
    return this.frame.getByRole('button', { name: label });
  }

  /** The question whether a tool may run. */
  approval(title: string | RegExp): Locator {
    return this.frame.locator('.approval').filter({ hasText: title });
  }

  /** @param words what the model is told */
  async deny(question: Locator): Promise<void> {
    await question.getByRole('button', { name: 'Deny…' }).click();
    await question.getByRole('textbox', { name: 'What Pi should do instead' }).press('Enter');
  }

  /** In a way that is folded. */
  async allow(question: Locator, how: string): Promise<void> {
    await question.getByRole('button', { name: 'More ways to allow' }).click();
    await question.getByRole('button', { name: how }).click();
  }

  /** What a server asks while a call waits for it. */
  question(text: string | RegExp): Locator {
    return this.frame.locator('.question').filter({ hasText: text });
  }

  /** Tool calls of the transcript, by name and status. */
  tool(name: string, status: string): Locator {
    return this.frame.locator(`.tool[data-tool="${name}"][data-status="${status}"]`);
  }

  /** Answers of the agent that are complete. */
  answer(text: string | RegExp): Locator {
    return this.frame.locator('.assistant[aria-busy=false]').filter({ hasText: text });
  }
}
