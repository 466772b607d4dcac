/** Themes to look at a page in, and what axe finds in it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, FrameLocator, Page } from 'playwright-core';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Name, label of the theme, class of the page. */
export const themes = [
  ['light', 'Light Modern', 'vscode-light'],
  ['dark', 'Dark Modern', 'vscode-dark'],
  ['hc-dark', 'Default High Contrast', 'vscode-high-contrast'],
  ['hc-light', 'Default High Contrast Light', 'vscode-high-contrast-light'],
] as const;

/** `rule: elements` for each rule that the page breaks. */
export async function violations(locator: FrameLocator, background: string): Promise<string[]> {
  const element = await locator.owner().elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) {
    throw new Error('The page is not there');
  }
  return await pageViolations(frame, background);
}

/** The same of a page that is not in VS Code. */
export async function pageViolations(page: Page | Frame, background: string): Promise<string[]> {
  await page.evaluate(axeSource);
  return await page.evaluate(async (background) => {
    // the page is transparent; axe needs to know what VS Code paints behind it
    document.documentElement.style.background = `var(${background})`;
    const { axe } = window as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: readonly { id: string; nodes: readonly { target: unknown }[] }[];
        }>;
      };
    };
    // the page is a part of the workbench, which has the landmarks
    const result = await axe.run({ rules: { region: { enabled: false } } });
    return result.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(' ')}`,
    );
  }, background);
}
