import { describe, expect, it } from 'vitest';
import { oauthPlaceTrouble } from '../../../../src/config/launch/oauthPlaces.js';

const url = 'https://mcp.example/mcp';
const own = {
  authorizationUrl: 'https://login.example/authorize',
  tokenUrl: 'https://login.example/token',
};

function judge(oauth: object, isOfRepository = false): string {
  return oauthPlaceTrouble('"s"', { url, oauth }, isOfRepository)?.message ?? 'good';
}

describe('the places of a sign-in', () => {
  it.each([
    {},
    own,
    {
      ...own,
      registrationUrl: 'https://login.example:443/register',
      issuer: 'https://login.example/',
    },
    { authorizationUrl: 'http://127.0.0.1:1/a', tokenUrl: 'http://127.0.0.1:1/t' },
    { grant: 'client_credentials', tokenUrl: own.tokenUrl },
    { resource: 'https://mcp.example/other', audience: url },
    { issuer: 'https://login.example' },
  ])('may be, in any file, %j', (oauth) => {
    expect(judge(oauth)).toBe('good');
    expect(judge(oauth, true)).toBe('good');
  });

  it.each([
    ['authorizationUrl', { ...own, authorizationUrl: 'https://other.example/authorize' }],
    ['registrationUrl', { ...own, registrationUrl: 'https://login.example:8443/register' }],
    ['issuer', { ...own, issuer: 'https://other.example' }],
    ['resource', { resource: 'https://other.example/' }],
    ['resource', { resource: 'urn:other' }],
    ['audience', { audience: 'api://other' }],
    ['audience', { ...own, audience: 'https://login.example/' }],
  ])('may lead by %s elsewhere in files of the user alone: %j', (field, oauth) => {
    expect(judge(oauth)).toBe('good');
    expect(judge(oauth, true)).toContain(`"oauth.${field}"`);
  });

  it.each([
    'http://login.example/token',
    'http://10.0.0.1/token',
    'http://127.0.0.1.example/token',
    'https://user:password@login.example/token',
    'ftp://127.0.0.1/token',
    'file:///token',
    'not an address',
    '',
  ])('are never %j', (address) => {
    for (const field of ['authorizationUrl', 'tokenUrl', 'registrationUrl']) {
      expect(judge({ ...own, [field]: address })).toContain(`"oauth.${field}"`);
    }
  });

  it.each([
    ['tokenUrl', { authorizationUrl: own.authorizationUrl }],
    ['tokenUrl', { registrationUrl: own.tokenUrl }],
    ['authorizationUrl', { tokenUrl: own.tokenUrl }],
  ])('need %s beside %j', (field, oauth) => {
    expect(judge(oauth)).toContain(`"oauth.${field}"`);
  });
});
