/** Themes and widths that a page is looked at in, and what is wrong with how it looks. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { repository } from '../../workbench/paths.mjs';
import { axePath } from './site.mjs';
import { themes } from './themes.mjs';

const themeNames = Object.keys(themes);

const bothWidths = [700, 280];

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const pictures = join(repository, 'test-results', 'pages');

/** Saves what the page shows to test-results/pages/, to look at, where somebody asks for it: a picture takes time. */
export async function shoot(page: Page, name: string, isFullPage = false): Promise<void> {
  if (process.env.PI_MCP_PICTURES === undefined) {
    return;
  }
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: isFullPage });
}

/** The rules whose verdict another theme can change. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds in every theme and by how much the page is too wide, each with theme and width. All rules are looked at in
 * the first theme, at each width; in the others those of colours.
 */
export async function faultsInAllLooks(
  page: Page,
  picture: string,
  widths: readonly number[] = bothWidths,
): Promise<readonly string[]> {
  const { height = 800 } = page.viewportSize() ?? {};
  const found: string[] = [];
  for (const [at, theme] of themeNames.entries()) {
    await wear(page, theme);
    for (const width of at === 0 ? widths : widths.slice(-1)) {
      await page.setViewportSize({ width, height });
      const faults = await lastingFaults(page, at === 0 ? undefined : rulesOfColours);
      found.push(...faults.map((fault) => `${theme}, ${width} px: ${fault}`));
      await shoot(page, `${picture}-${theme}-${width}`, true);
    }
  }
  return found;
}

/** What is there for a frame alone, between two sizes or colours, nobody sees. */
async function lastingFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const look = async () => [
    ...(await violations(page, rules)),
    ...(await tooWide(page)),
    ...(await spaced(page)),
  ];
  if ((await look()).length === 0) {
    return [];
  }
  await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) {
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
  return await look();
}

/** Changes the theme as VS Code does. */
export async function wear(page: Page, theme: string): Promise<void> {
  const names = [...new Set(Object.values(themes).flatMap((one) => Object.keys(one.variables)))];
  await page.evaluate(
    ([all, worn]) => {
      for (const name of all) {
        document.documentElement.style.setProperty(
          `--vscode-${name}`,
          worn?.variables[name] ?? null,
        );
      }
      document.body.className = worn?.bodyClass ?? '';
      // a colour on its way to another one is neither
      for (const transition of document.getAnimations()) {
        if (transition instanceof CSSTransition) {
          transition.finish();
        }
      }
    },
    [names, themes[theme]] as const,
  );
}

/** `rule: elements` for each rule of axe that the page breaks; of all rules, or of these. */
export async function violations(
  page: Page | Frame,
  rules?: readonly string[],
): Promise<readonly string[]> {
  if (!(await page.evaluate(loadAxe, axePath))) {
    await page.evaluate(axeSource);
  }
  return await page.evaluate(async (only) => {
    interface Found {
      readonly violations: readonly {
        readonly id: string;
        readonly nodes: readonly { readonly target: unknown }[];
      }[];
    }
    const { axe } = window as unknown as { axe: { run(options: object): Promise<Found> } };
    // the page is a part of the workbench, which has the landmarks
    const found = await axe.run({
      resultTypes: ['violations'],
      ...(only ? { runOnly: only } : { rules: { region: { enabled: false } } }),
    });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(' ')}`,
    );
  }, rules);
}

/** Runs in the page. False where it is not one of ours, which have a server with a script that is compiled already. */
async function loadAxe(path: string): Promise<boolean> {
  if ('axe' in window) {
    return true;
  }
  if (location.hostname !== 'preview.localhost') {
    return false;
  }
  const script = document.createElement('script');
  script.nonce = 'preview';
  script.src = `/${path}`;
  await new Promise((done, fail) => {
    script.onload = done;
    script.onerror = fail;
    document.head.append(script);
  });
  script.remove();
  return true;
}

/** Texts whose line breaks are shown, and that begin with one of the template. */
async function spaced(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll('body :not(select)')].flatMap((one) => {
      const [first] = [...one.childNodes].filter(({ nodeType }) => nodeType !== Node.COMMENT_NODE);
      const isSpaced = first instanceof Text && first.data.startsWith('\n');
      return isSpaced && getComputedStyle(one).whiteSpace.startsWith('pre')
        ? [`begins with a line break: ${one.tagName} ${one.className}#${one.id}`]
        : [];
    }),
  );
}

async function tooWide(page: Page): Promise<readonly string[]> {
  const by = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  return by > 0 ? [`too wide by ${by} px`] : [];
}
