/** Tests that documents name as `file › title`. */
import { existsSync, readFileSync } from 'node:fs';

/** Whether the test is there. Files are below `test/`, without `.test.ts`; a title may be cut at its end. */
export function hasNamedTest(reference: string, alsoIn?: string): boolean {
  const [, file = '', title = ''] = /^`([^`]+)` › (.*)$/.exec(reference) ?? [];
  const path = `test/${file}.test.ts`;
  const texts = [path, ...(alsoIn ? [alsoIn] : [])]
    .filter((one) => existsSync(one))
    .map((one) => readFileSync(one, 'utf8'));
  return existsSync(path) && title !== '' && texts.some((text) => isTitleIn(text, title));
}

function isTitleIn(text: string, title: string): boolean {
  return [`'${title}`, `"${title}`, `\`${title}`].some((quoted) => text.includes(quoted));
}

/** Cells of the last table column of each row that begins like this. */
export function rowsOf(document: string, start: RegExp): readonly (readonly string[])[] {
  return readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => start.test(line))
    .map((line) => line.slice('| '.length, -' |'.length).split(' | '));
}
