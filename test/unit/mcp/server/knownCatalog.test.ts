import { expect, it } from 'vitest';
import type { DefinitionsMode, McpServerDefinition } from '../../../../src/config/definition.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import { DefinitionPinFiles } from '../../../../src/mcp/catalog/definitions/definitionPinFiles.js';
import type { McpSession } from '../../../../src/mcp/connection/session/engine.js';
import { emptyCatalog, type McpCatalog } from '../../../../src/mcp/mcpTypes.js';
import { KnownCatalog } from '../../../../src/mcp/server/knownCatalog.js';
import { fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const folder = { uri: 'file:///work', name: 'work', fsPath: '/work' };
const usual = entryOf({}, undefined);
const skill = { uri: 's:', name: 'tidy', description: 'Sorts.', frontmatter: {}, files: [] };

function catalogOf(...descriptions: readonly string[]): McpCatalog {
  const tools = descriptions.map((description, index) => ({
    name: `tool${index}`,
    description,
    inputSchema: { type: 'object' as const },
  }));
  return { ...emptyCatalog, tools };
}

function entryOf(change: Partial<McpServerDefinition>, definitions: DefinitionsMode | undefined) {
  const options = { ...defaultOptions, definitions };
  return fakeDefinition('one', { folder, change: { options, ...change } });
}

async function setUp(change: Partial<McpServerDefinition> = {}, definitions?: DefinitionsMode) {
  const entry = { definition: entryOf(change, definitions) };
  const setMode = (mode: DefinitionsMode | undefined) => {
    entry.definition = entryOf(change, mode);
  };
  const read: McpCatalog[] = [];
  const warnings: string[] = [];
  const pins = new DefinitionPinFiles(undefined);
  const logger = { log: (_level: string, text: string) => void warnings.push(text) };
  const known = new KnownCatalog({
    definition: () => entry.definition,
    pins,
    logger: () => logger as never,
    onDidRead: (catalog) => void read.push(catalog),
  });
  await known.prepare();
  const learn = async (catalog: McpCatalog, isPrivate = false) => {
    const listHints = new Map([['tools', { isPrivate }]]);
    known.learn({ listHints } as unknown as McpSession, catalog);
    await pins.flush();
  };
  const words = () => known.used.value.tools.map(({ description }) => description);
  const changed = () => known.used.value.changes?.map(({ name }) => name) ?? [];
  return { known, learn, words, changed, setMode, pins, read, warnings };
}

it.each([
  ['holds back', 'a server of a folder', {}, 'before'],
  ['holds back', 'a remote server', { scope: 'global', launch: { kind: 'http' } }, 'before'],
  ['announces', 'a server of the user', { scope: 'global' }, 'now'],
] as const)('%s what changed of %s', async (_verb, _whose, change, shown) => {
  const { known, learn, words } = await setUp(change as never);
  await learn(catalogOf('Adds.'));
  await learn(catalogOf('Adds all.'));
  expect(words()).toEqual([shown === 'now' ? 'Adds all.' : 'Adds.']);
  expect(known.used.value.changes).toMatchObject([{ name: 'tool0', shown }]);
});

it('takes what is listed as it is where the entry accepts all, and agrees to nothing', async () => {
  const { learn, words, changed, setMode, known } = await setUp({}, 'accept');
  await learn(catalogOf('Adds.'));
  setMode('hold');
  known.review();
  expect([words(), changed()]).toEqual([['Adds.'], []]);
  await learn(catalogOf('Adds all.'));
  expect(changed()).toEqual([]);
});

it('looks again at what is listed when the entry says something else of changes', async () => {
  const { known, learn, words, changed, setMode } = await setUp();
  await learn(catalogOf('Adds.'));
  await learn(catalogOf('Adds all.'));
  setMode('accept');
  known.review();
  expect([words(), changed()]).toEqual([['Adds all.'], []]);
});

it('uses the words of the entry for what is remembered, too', async () => {
  const { known, words } = await setUp();
  known.restore(usual, catalogOf('Adds.'));
  expect([words(), known.isKnown]).toEqual([['Adds.'], true]);
  known.used.set(emptyCatalog);
  known.review();
  expect(words()).toEqual(['Adds.']);
});

it('agrees to the changes that were shown, and to no other', async () => {
  const { known, learn, words, changed, read } = await setUp();
  await learn(catalogOf('Adds.', 'Reads.'));
  await learn(catalogOf('Adds all.', 'Reads all.'));
  const [first] = known.used.value.changes ?? [];
  await known.accept([first?.fingerprint ?? '', 'of nothing']);
  expect([words(), changed()]).toEqual([['Adds all.', 'Reads.'], ['tool1']]);
  expect(read.at(-1)).toEqual(known.used.value);
  const count = read.length;
  await known.accept(['of nothing']);
  expect(read).toHaveLength(count);
});

it('agrees to changes of what is remembered while the server rests', async () => {
  const { known, learn, changed } = await setUp();
  await learn(catalogOf('Adds.', 'Reads.'));
  await learn(catalogOf('Adds all.', 'Reads all.'));
  const remembered = known.used.value;
  const { known: resting, changed: left } = await setUp();
  resting.restore(usual, remembered);
  expect(left()).toEqual(changed());
  const [one, other] = remembered.changes ?? [];
  await resting.accept([one?.fingerprint ?? '']);
  expect(left()).toEqual(['tool1']);
  await resting.accept([other?.fingerprint ?? '']);
  expect(resting.used.value).not.toHaveProperty('changes');
});

it('forgets what was for one account alone, and keeps what was for all', async () => {
  const { known, learn, words, read } = await setUp();
  await learn(catalogOf('Adds.'));
  known.forgetPrivate();
  expect(words()).toEqual(['Adds.']);
  await learn(catalogOf('Adds.'), true);
  known.forgetPrivate();
  expect([words(), known.isKnown, read.at(-1)]).toEqual([[], false, emptyCatalog]);
});

it('lets a skill be used as it was shown, and no later one of its name', async () => {
  const { known, learn, pins } = await setUp();
  await learn({ ...emptyCatalog, skills: [skill] });
  expect(known.mayUse(skill)).toBe(false);
  await known.allowUse(skill);
  expect(known.mayUse(skill)).toBe(true);
  expect(known.mayUse({ ...skill, description: 'Deletes.' })).toBe(false);
  // what was agreed to at first is still agreed to
  const stored = await pins.load(usual);
  expect([...(stored?.keys() ?? [])]).toEqual(['skill tidy', 'skill tidy/use']);
});

it('agrees with a skill to all that nobody was asked about', async () => {
  const { known, learn, pins } = await setUp({}, 'accept');
  await learn({ ...catalogOf('Adds.'), skills: [skill] });
  await known.allowUse(skill);
  const stored = await pins.load(usual);
  expect([...(stored?.keys() ?? [])].sort()).toEqual([
    'skill tidy',
    'skill tidy/use',
    'tool tool0',
  ]);
});

it('takes all for changed when what was agreed to cannot be read, and says so', async () => {
  const { known, learn, changed, pins, warnings } = await setUp();
  pins.load = async () => {
    throw new Error('EIO');
  };
  await known.prepare();
  await learn(catalogOf('Adds.'));
  expect(changed()).toEqual(['tool0']);
  expect(warnings).toEqual([expect.stringContaining('EIO')]);
});
