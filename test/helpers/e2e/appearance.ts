/** Themes of VS Code to look at a page in, and what axe finds in it. */
import type { FrameLocator } from 'playwright-core';
import * as looks from '../pages/looks.js';

/** Name, label of the theme, class of the page. */
export const themes = [
  ['light', 'Light Modern', 'vscode-light'],
  ['dark', 'Dark Modern', 'vscode-dark'],
  ['hc-dark', 'Default High Contrast', 'vscode-high-contrast'],
  ['hc-light', 'Default High Contrast Light', 'vscode-high-contrast-light'],
] as const;

/** `rule: elements` for each rule that the page breaks. */
export async function violations(
  locator: FrameLocator,
  background: string,
): Promise<readonly string[]> {
  const element = await locator.owner().elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) {
    throw new Error('The page is not there');
  }
  await frame.evaluate((painted) => {
    // the page is transparent; axe needs to know what VS Code paints behind it
    document.documentElement.style.background = `var(${painted})`;
  }, background);
  return await looks.violations(frame);
}
