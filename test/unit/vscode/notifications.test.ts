import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { literal } from '../../../src/presentation/literal.js';

// VS Code's own rule for links in notifications
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

it('makes no link of what a server or a file says', () => {
  const name = 'a [click](command:workbench.action.quit) and [b](https://example.com)';
  expect(name.match(link)).toHaveLength(2);
  expect(literal(name).match(link)).toBeNull();
  expect(literal(name).replaceAll('\u200b', '')).toBe(name);
});

it('shows every notification so', () => {
  const direct = globSync('src/**/*.ts').filter((path) =>
    /\bshow(Information|Warning|Error)Message\b/.test(readFileSync(path, 'utf8')),
  );
  expect(direct).toEqual(['src/vscode/notifications.ts']);
});
