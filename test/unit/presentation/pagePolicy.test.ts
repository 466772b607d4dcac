import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { appPolicy } from '../../../src/mcp/apps/policy.js';
import { pagePolicy } from '../../../src/presentation/pageHtml.js';

const closed = [`default-src 'none'`, `base-uri 'none'`, `form-action 'none'`];

it('lets no page send a form or move its addresses', () => {
  const parts = { source: 'https://pages.example', nonce: 'a' };
  for (const drawsDiagrams of [true, false]) {
    const policy = pagePolicy({ ...parts, drawsDiagrams });
    expect(policy.split('; ')).toEqual(expect.arrayContaining(closed));
    expect(policy.includes('worker-src')).toBe(drawsDiagrams);
  }
  expect(appPolicy(undefined).contentSecurityPolicy.split('; ')).toEqual(
    expect.arrayContaining(closed),
  );
});

it('is the policy of every page that we write', () => {
  const policies = /pagePolicy\(|"default-src 'none'; base-uri 'none'; form-action 'none'"/;
  const pages = globSync('src/**/*.ts').filter((path) =>
    /<!doctype html/i.test(readFileSync(path, 'utf8')),
  );
  const open = pages.filter((path) => !policies.test(readFileSync(path, 'utf8')));
  // gets the policy of the app, see above
  expect(open).toEqual(['src/presentation/apps/appPage.ts']);
  expect(pages.length).toBeGreaterThan(open.length);
});
