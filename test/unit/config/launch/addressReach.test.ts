import { describe, expect, it } from 'vitest';
import { addressReach } from '../../../../src/config/launch/addressReach.js';
import { hiddenHost, holdsCredentials } from '../../../../src/config/launch/plainWords.js';

describe('where an address leads', () => {
  it.each([
    ['https://example.com/mcp', 'public'],
    ['https://8.8.8.8', 'public'],
    ['https://[2606:4700::1111]', 'public'],
    ['http://localhost', 'loopback'],
    ['http://LOCALHOST.', 'loopback'],
    ['http://a.localhost..', 'loopback'],
    ['http://127.0.0.1.', 'loopback'],
    ['http://2130706433', 'loopback'],
    ['http://0x7f.1', 'loopback'],
    ['http://0177.0.0.1', 'loopback'],
    ['http://0/', 'loopback'],
    ['http://[::]', 'loopback'],
    ['http://[::1]', 'loopback'],
    ['http://[::127.0.0.1]', 'loopback'],
    ['http://[::ffff:127.0.0.1]', 'loopback'],
    ['http://[::ffff:0:127.0.0.1]', 'loopback'],
    ['http://[64:ff9b::127.0.0.1]', 'loopback'],
    ['http://[2002:7f00:1::]', 'loopback'],
    ['http://[2001:0:1::80ff:fffe]', 'loopback'],
    ['http://169.254.169.254', 'link_local'],
    ['http://[fe80::1]', 'link_local'],
    ['http://[64:ff9b::a9fe:a9fe]', 'link_local'],
    ['http://192.168.1.1', 'private'],
    ['http://[fd00::1]', 'private'],
    ['http://[64:ff9b:1::1]', 'private'],
    ['http://224.0.0.1', 'private'],
    ['http://router/', 'private_name'],
    ['http://printer.local', 'private_name'],
    ['http://metadata.google.internal', 'private_name'],
    ['http://user@127.0.0.1/', 'loopback'],
    ['http://127.0.0.1\t/', 'loopback'],
    ['http://${HOST}/', 'unknown'],
    ['http://127.0.0.${X}/', 'unknown'],
    ['http://127.0.0.1:${PORT}/', 'unknown'],
    ['http://127.0.0.1/${X}', 'loopback'],
    ['https://example.com/?k=${X}', 'public'],
    ['http:/${/}127.0.0.1/', 'unknown'],
    ['nothing', 'invalid'],
  ])('%s → %s', (address, reach) => expect(addressReach(address)).toBe(reach));
});

describe('an address that seems to lead elsewhere', () => {
  it.each([
    ['https://good.example@evil.example/mcp', 'evil.example'],
    ['https://good.example:443@evil.example/', 'evil.example'],
    ['https://good.example\\@evil.example/', 'good.example'],
    ['https:evil.example/', 'evil.example'],
    ['https:\\\\evil.example/', 'evil.example'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://g\u043e\u043ed.example/', 'xn--gd-fmca.example'],
    ['https://good%2eexample/', 'good.example'],
    ['https://good.example\t.evil.example/', 'good.example.evil.example'],
    ['https://\uff47ood.example/', 'good.example'],
  ])('%j leads to %s', (address, host) => {
    expect(hiddenHost(address)).toBe(host);
  });

  it.each([
    'https://good.example',
    'https://GOOD.example:443/a@b',
    'http://a.example:80/?x=@y',
    'https://[::1]/',
  ])('%s leads where it says', (address) => {
    expect(hiddenHost(address)).toBeUndefined();
    expect(holdsCredentials(address)).toBe(false);
  });

  it.each([
    'https://a@b.example',
    'https://${A}@b.example/',
    'https:/\\a:b@c.example',
    'https://a:b@${HOST}/',
    'https://${A}:${B}@c/',
  ])('%s holds credentials', (address) => {
    expect(holdsCredentials(address)).toBe(true);
  });
});
