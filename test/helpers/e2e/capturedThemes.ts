/** What VS Code gives a page of ours in each theme, for the ring `pages`. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { repository } from '../../workbench/paths.mjs';

interface Look {
  readonly bodyClass: string;
  readonly styles: string;
  readonly variables: Readonly<Record<string, string>>;
}

export function readLook(frame: FrameLocator): Promise<Look> {
  return frame.locator('html').evaluate((root) => ({
    bodyClass: document.body.className,
    styles: document.querySelector('#_defaultStyles')?.textContent ?? '',
    variables: Object.fromEntries(
      [...root.style]
        .filter((name) => name.startsWith('--vscode-'))
        .map((name) => [name.slice('--vscode-'.length), root.style.getPropertyValue(name).trim()]),
    ),
  }));
}

/** The text of the fixture: what our pages use of each look. */
export function describeLooks(looks: Readonly<Record<string, Look>>): string {
  const all = Object.values(looks);
  const styles = all[0]?.styles ?? '';
  const uses = usedWords(styles);
  const names = new Set(all.flatMap(({ variables }) => Object.keys(variables)));
  const lines = [...names]
    // the names of the terminal's colours are put together from parts
    .filter((name) => uses.has(name) || name.startsWith('terminal-ansi'))
    .sort()
    .map((name) => {
      const values = all.map(({ variables }) => variables[name] ?? '');
      return `    ${JSON.stringify(name)}: ${JSON.stringify(values)}`;
    });
  const classes = Object.entries(looks).map(([name, { bodyClass }]) => [name, bodyClass]);
  return `{
  "styles": ${JSON.stringify(styles.replace(/\s+/g, ' ').trim())},
  "classes": ${JSON.stringify(Object.fromEntries(classes))},
  "variables": {
${lines.join(',\n')}
  }
}
`;
}

export function writeLooks(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Whatever could name a variable in our styles and scripts, in the component library and in VS Code's own styles. */
function usedWords(styles: string): ReadonlySet<string> {
  const ours = globSync(join(repository, '{media/webview/**/*.css,src/webview/**/*.ts}'));
  const library = join(repository, 'node_modules/@vscode/webview-ui-toolkit/dist/toolkit.js');
  const files = [...ours, library];
  const texts = [styles, ...files.map((path) => readFileSync(path, 'utf8'))];
  return new Set(
    texts
      .flatMap((text) => text.match(/[A-Za-z][\w-]*/g) ?? [])
      .map((word) => word.replace(/^vscode-/, '')),
  );
}
