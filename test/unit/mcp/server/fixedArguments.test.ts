import { expect, it } from 'vitest';
import { fixedArguments } from '../../../../src/mcp/server/fixedArguments.js';
import { fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const written = {
  token: '${env:TOKEN}',
  query: { tags: ['a', 'b'], limit: 5, nested: { text: 'c' } },
  nothing: null,
};
const plain = fakeDefinition('docs');
const definition = fakeDefinition('docs', {
  change: { options: { ...plain.options, toolOverrides: { find: { arguments: written } } } },
});

/** Fills in by writing what was asked for, and notes it. */
function connection(secrets: readonly string[]) {
  const asked: unknown[] = [];
  const concealed: unknown[] = [];
  const resolveTexts = async (places: readonly { field: string; text: string }[]) => {
    asked.push(...places.map(({ field, text }) => `${field} ${text}`));
    return { texts: places.map(({ text }) => `<${text}>`), secrets };
  };
  return {
    asked,
    concealed,
    resolveTexts,
    conceal: (found: unknown) => void concealed.push(found),
  };
}

it('fills in all texts of what the entry fixes, which wins over what a caller gives', async () => {
  const open = connection(['s3cret']);
  const fixed = await fixedArguments(definition, 'find', async () => open);
  expect(open.asked).toEqual([
    'arguments.token ${env:TOKEN}',
    'arguments.tags a',
    'arguments.tags b',
    'arguments.text c',
  ]);
  expect(fixed.fill({ token: 'mine', page: 2 }, open)).toEqual({
    page: 2,
    token: '<${env:TOKEN}>',
    query: { tags: ['<a>', '<b>'], limit: 5, nested: { text: '<c>' } },
    nothing: null,
  });
  expect(open.concealed).toEqual([['s3cret']]);
});

it('masks its secrets in what the server repeats, and leaves a result alone where there is none', async () => {
  const result = {
    content: [{ type: 'text' as const, text: 'you said s3cret-0123456789' }],
    isError: false,
  };
  const open = (secrets: readonly string[]) =>
    fixedArguments(definition, 'find', async () => connection(secrets));
  const masked = (await open(['s3cret-0123456789'])).mask(result);
  expect(JSON.stringify(masked)).not.toContain('s3cret-0123456789');
  expect(masked.content).toMatchObject([
    { type: 'text', text: expect.stringContaining('you said') },
  ]);
  expect((await open([])).mask(result)).toBe(result);
});

it('resolves nothing for a tool of which nothing is fixed', async () => {
  const open = () => Promise.reject(new Error('opened'));
  const fixed = await fixedArguments(definition, 'other', open);
  const [args, result] = [{ a: 1 }, { content: [], isError: false }];
  expect(fixed.fill(args, connection([]))).toBe(args);
  expect(fixed.mask(result)).toBe(result);
  await expect(fixedArguments(definition, 'find', open)).rejects.toThrow('opened');
});
