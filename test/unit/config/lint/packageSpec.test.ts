import { expect, it } from 'vitest';
import { packageOf } from '../../../../src/config/lint/packageSpec.js';

it('knows no program by a name that every object has', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    expect(packageOf(name, ['-c', 'npx a'])).toBeUndefined();
    expect(packageOf('sh', ['-c', name])).toBeUndefined();
  }
});

it('reads the line of a shell, and follows no shell within it', () => {
  expect(packageOf('sh', ['-c', 'cd /x && npx -y a@1.2.3'])).toMatchObject({ name: 'a' });
  const nested = Array.from({ length: 100_000 }, () => ['sh', '-c']).flat();
  expect(packageOf('sh', ['-c', ...nested, 'npx', 'a'])).toBeUndefined();
});
