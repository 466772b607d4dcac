/** What docs/development.md draws of three walks is how the sources are joined. */
import { expect, it } from 'vitest';
import { lostSteps, readWalks, stepOf } from '../../helpers/documents/walks.js';

const walks = readWalks();

/** Files on the way; a walk that gets longer says why in a commit of its own. */
it('draws three walks, none longer than it was', () => {
  expect(walks.map(({ title, files }) => [title, files.length])).toEqual([
    ['A tool call of the agent', 24],
    ['A message of the page to Pi, and its answer', 23],
    ['A call through the gateway', 12],
  ]);
});

it.each(walks)('follows the imports: $title', (walk) => {
  expect(lostSteps(walk)).toEqual([]);
});

it('would find a file that nothing before it leads to', () => {
  const texts: Record<string, string> = {
    'a/one.ts': "import type { Port } from './port.js';\nimport { two } from '../b/two.js';",
    'b/two.ts': '',
    'b/three.ts': "import {\n  type Port,\n} from '../a/port.js';\nclass Three implements Port {}",
    'b/four.ts': "import type { Port } from '../a/port.js';\nexport const four = {} as Port;",
    'b/five.ts': "export * from './six.js';",
    'b/six.ts': "import { four } from './four.js';",
  };
  const read = (file: string) => stepOf(file, texts[file] ?? '');
  expect(lostSteps({ files: Object.keys(texts) }, read)).toEqual(['b/four.ts', 'b/five.ts']);
});
