import { describe, expect, it } from 'vitest';
import { assertSafeAddress } from '../../../../src/mcp/oauth/safeAddress.js';

function check(address: string, serverUrl: string, settings = {}): string {
  try {
    assertSafeAddress(address, { serverName: 's', serverUrl, settings });
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('an address of a sign-in', () => {
  it.each([
    ['https://login.example', 'https://mcp.example/mcp', 'ok'],
    ['http://login.example', 'https://mcp.example/mcp', 'insecure_authorization'],
    ['http://mcp.example/token', 'https://mcp.example/mcp', 'insecure_authorization'],
    ['http://mcp.example/token', 'http://mcp.example/mcp', 'ok'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:3000/mcp', 'ok'],
    ['http://localhost:4000', 'http://127.0.0.1:3000/mcp', 'ok'],
    ['http://10.0.0.2', 'http://10.0.0.1/mcp', 'insecure_authorization'],
    ['https://10.0.0.2', 'https://10.0.0.1/mcp', 'ok'],
  ])('%s of a server at %s is %s', (address, server, expected) => {
    expect(check(address, server)).toBe(expected);
  });

  it.each([
    'http://localhost:3000',
    'http://app.localhost',
    'https://127.0.0.1',
    'http://2130706433/',
    'http://169.254.169.254/latest/meta-data',
    'https://192.168.1.1',
    'https://172.31.0.1',
    'https://[::1]',
    'https://[fe80::1]',
    'https://[fd00::1]',
    'http://[::ffff:169.254.169.254]',
    'https://0.0.0.0',
  ])('of a server out there is not %s', (address) => {
    expect(check(address, 'https://mcp.example/mcp')).toBe('inner_authorization');
  });

  it('may be of this machine when the entry itself names it', () => {
    const identityProvider = { idToken: 't', clientId: 'c', tokenEndpoint: 'http://localhost:1/t' };
    const settings = { identityProvider };
    expect(check('http://localhost:1/t', 'https://mcp.example/mcp', settings)).toBe('ok');
    expect(check('http://localhost:2/t', 'https://mcp.example/mcp', settings)).not.toBe('ok');
  });
});
