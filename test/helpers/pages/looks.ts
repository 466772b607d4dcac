/** Themes and widths that a page is looked at in, and what is wrong with how it looks. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { repository } from '../../workbench/paths.mjs';
import { themes } from './themes.mjs';

export const themeNames = Object.keys(themes);

/** Every theme, narrow and wide. For `it.each`. */
export const looks = themeNames.flatMap((theme) =>
  [280, 700].map((width) => [theme, width] as const),
);

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const pictures = join(repository, 'test-results', 'pages');

/** Saves what the page shows to test-results/pages/, to look at. */
export async function shoot(page: Page, name: string, isFullPage = false): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: isFullPage });
}

/** What axe finds, and by how much the page is too wide. */
export async function faults(page: Page): Promise<readonly string[]> {
  return [...(await violations(page)), ...(await tooWide(page))];
}

/** `rule: elements` for each rule of axe that the page breaks. */
export async function violations(page: Page | Frame): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return await page.evaluate(async () => {
    interface Found {
      readonly violations: readonly {
        readonly id: string;
        readonly nodes: readonly { readonly target: unknown }[];
      }[];
    }
    const { axe } = window as unknown as { axe: { run(options: object): Promise<Found> } };
    // the page is a part of the workbench, which has the landmarks
    const found = await axe.run({ rules: { region: { enabled: false } } });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(' ')}`,
    );
  });
}

async function tooWide(page: Page): Promise<readonly string[]> {
  const by = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  return by > 0 ? [`too wide by ${by} px`] : [];
}
