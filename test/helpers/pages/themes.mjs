// @ts-check
/** What VS Code gives its webviews: classes and variables of four themes, and a style sheet. `e2e/config` captured them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../workbench/paths.mjs';

/**
 * @typedef {object} Captured
 * @property {string} styles
 * @property {Record<string, string>} classes theme → class of the body
 * @property {Record<string, readonly string[]>} variables name → its value in each theme, in the order of `classes`; empty
 *   where it has none
 */

export const themesFile = join(repository, 'test/fixtures/pages/themes.json');

/** @type {Captured} */
const captured = JSON.parse(readFileSync(themesFile, 'utf8'));

export const defaultStyles = captured.styles;

/** @type {Record<string, { bodyClass: string, variables: Record<string, string> }>} */
export const themes = Object.fromEntries(
  Object.entries(captured.classes).map(([name, bodyClass], at) => {
    const all = Object.entries(captured.variables).map(([key, values]) => [key, values[at] ?? '']);
    return [name, { bodyClass, variables: Object.fromEntries(all.filter(([, value]) => value)) }];
  }),
);
