import { expect, it } from 'vitest';
import { askLoginShellPath } from '../../../../src/platform/environment/loginShell.js';
import { withFullTable } from '../../../helpers/fullTable.js';

const limitMs = 5000;

it.skipIf(process.platform === 'win32').each([
  ['a home that is no folder', '/bin/sh', '/dev/null'],
  ['a home that is not there', '/bin/sh', '/dev/null/home'],
  ['a shell below a file', '/bin/sh/sh', '/'],
])('says nothing where there is %s', async (_what, shell, home) => {
  expect(await askLoginShellPath(shell, { PATH: '/bin' }, home, limitMs)).toBeUndefined();
});

it('says nothing while no further file can be opened', async () => {
  await withFullTable(async () => {
    expect(await askLoginShellPath('/bin/sh', {}, '/', limitMs)).toBeUndefined();
  });
});
