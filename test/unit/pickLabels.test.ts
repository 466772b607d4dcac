/** What is named outside of the extension is text in lists to choose from: no icon of it, nothing hidden, one line. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const isPicker =
  /createQuickPick|showQuickPick|pick(?:One|Many|Some|Live|ItemsByPool)\(|showLivePicker|screen\.choose|Choice</;
const named =
  /\b(?:label|description|detail): .*\b\w+\.(?:name|title|tool|text|label|description|detail|inputId|uri|path|fsPath|serverName|baseUrl|id)\b/;

it('shows what others have named as text, in every list', () => {
  const pickers = globSync('src/vscode/**/*.ts').filter((path) =>
    isPicker.test(readFileSync(path, 'utf8')),
  );
  expect(pickers.length).toBeGreaterThan(20);
  const bare = pickers.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => named.test(line) && !/labelText\(|withoutIcons\(/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(bare).toEqual([]);
});
