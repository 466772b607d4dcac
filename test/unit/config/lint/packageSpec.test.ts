import { expect, it } from 'vitest';
import { isPinned, packageOf } from '../../../../src/config/lint/packageSpec.js';

it('knows no program by a name that every object has', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    expect(packageOf(name, ['-c', 'npx a'])).toBeUndefined();
    expect(packageOf('sh', ['-c', name])).toBeUndefined();
  }
});

it('tells at once whether a version of Python is exact, however long it is', () => {
  const isExact = (version: string) => {
    const spec = packageOf('uvx', [`a==${version}`]);
    return spec && isPinned(spec);
  };
  expect(['1.2', '1.2rc1', '1.2.post1.dev3', '1.2a1b'].map(isExact)).toEqual(Array(4).fill(true));
  expect(['1', '1.2.', '1.2*', '1.2..a', '1.2.a-'].map(isExact)).toEqual(Array(5).fill(false));
  const start = performance.now();
  expect(isExact(`1.0${'a'.repeat(28)}!`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(5_000);
});

it('reads the line of a shell, and follows no shell within it', () => {
  expect(packageOf('sh', ['-c', 'cd /x && npx -y a@1.2.3'])).toMatchObject({ name: 'a' });
  const nested = Array.from({ length: 100_000 }, () => ['sh', '-c']).flat();
  expect(packageOf('sh', ['-c', ...nested, 'npx', 'a'])).toBeUndefined();
});
