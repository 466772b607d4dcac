import { expect, it } from 'vitest';
import { appPolicy, permissionsOf, reachableOrigins } from '../../../../src/mcp/apps/policy.js';

const nothing = {
  connectDomains: [],
  resourceDomains: [],
  frameDomains: [],
  baseUriDomains: [],
  permissions: [],
};

function directives(policy: string): Record<string, string> {
  return Object.fromEntries(
    policy.split('; ').map((one) => {
      const [name = '', ...sources] = one.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

it('lets an app without a policy reach nothing', () => {
  expect(directives(appPolicy(undefined).contentSecurityPolicy)).toEqual({
    'default-src': `'none'`,
    'script-src': `'unsafe-inline'`,
    'style-src': `'unsafe-inline'`,
    'img-src': 'data: blob:',
    'media-src': 'data: blob:',
    'font-src': 'data:',
    'connect-src': `'none'`,
    'frame-src': `'none'`,
    'base-uri': `'none'`,
    'worker-src': `'none'`,
    'object-src': `'none'`,
    'form-action': `'none'`,
    webrtc: `'block'`,
    'require-trusted-types-for': `'script'`,
    'trusted-types': 'default',
  });
});

it('lets an app reach what its server declared, for the declared purpose', () => {
  const { domains, contentSecurityPolicy, notices } = appPolicy({
    ...nothing,
    connectDomains: ['https://API.example:8443/', 'wss://live.example', 'https://api.example:8443'],
    resourceDomains: ['https://*.cdn.example'],
    permissions: ['camera'],
  });
  const policy = directives(contentSecurityPolicy);
  expect(policy['connect-src']).toBe('https://api.example:8443 wss://live.example');
  expect(policy['img-src']).toBe('data: blob: https://*.cdn.example');
  expect(policy['frame-src']).toBe(`'none'`);
  expect(reachableOrigins(domains)).toEqual([
    'https://*.cdn.example',
    'https://api.example:8443',
    'wss://live.example',
  ]);
  expect(permissionsOf(domains)).toContain('connectDomains wss://live.example');
  expect(notices).toEqual(['Not granted: camera']);
});

it.each([
  ['*'],
  ['https:'],
  ['https://*'],
  ['https://*.example'],
  ['https://a.example/path'],
  ['https://user@a.example'],
  ['https://a.example; script-src *'],
  [`https://a.example 'unsafe-eval'`],
  ['http://a.example'],
  ['ftp://a.example'],
  ['data:'],
  ["'self'"],
  ['https://a..example'],
  ['https://a.example:99999'],
])('grants nothing for "%s", and says so', (written) => {
  const { domains, contentSecurityPolicy, notices } = appPolicy({
    ...nothing,
    connectDomains: [written],
  });
  expect(reachableOrigins(domains)).toEqual([]);
  expect(contentSecurityPolicy).toBe(appPolicy(undefined).contentSecurityPolicy);
  expect(notices).toEqual([`Not reachable, because it is no plain origin: ${written}`]);
});

it.each([['http://localhost:3000'], ['http://127.0.0.1:3000'], ['ws://[::1]:3000']])(
  'takes %s without encryption, because it is on this machine',
  (origin) => {
    const { domains } = appPolicy({ ...nothing, connectDomains: [origin] });
    expect(domains.connectDomains).toEqual([origin]);
  },
);

it('takes sockets for connections only', () => {
  const { domains } = appPolicy({ ...nothing, resourceDomains: ['wss://live.example'] });
  expect(reachableOrigins(domains)).toEqual([]);
});
