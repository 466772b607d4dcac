/** What a server claims of its tools is shown, and may narrow what is offered; it spares no question and repeats no call. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Who reads a claim, and for what. */
const readers: Readonly<Record<string, string>> = {
  'src/agent/tools/toolIdentities.ts': 'words on a card',
  'src/gateway/lending/approvals.ts': 'the user takes the claims for true, by a setting',
  'src/mcp/catalog/definitions/overrideTools.ts': 'the user says it in place of the server',
  'src/mcp/catalog/readOnlyTools.ts': 'narrows what a model gets',
  'src/mcp/connection/reading/parseItems.ts': 'parses them',
  'src/mcp/mcpTypes.ts': 'their type',
  'src/presentation/inspector/replayQuestion.ts': 'words of a question',
  'src/presentation/runTool/runView.ts': 'a warning beside a button',
  'src/presentation/tree/below/toolPresentation.ts': 'words of a row',
};

const claim = /\b(?:readOnly|destructive|idempotent|openWorld)Hint\b/;

it('is read only where nothing is decided by it', () => {
  const found = globSync('src/**/*.ts').filter((path) => claim.test(readFileSync(path, 'utf8')));
  expect(found.map((path) => path.replaceAll('\\', '/')).sort()).toEqual(
    Object.keys(readers).sort(),
  );
});
