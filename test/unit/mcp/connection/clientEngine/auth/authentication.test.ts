import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import {
  asClient,
  clientMethods,
  methodToRegister,
} from '../../../../../../src/mcp/connection/clientEngine/auth/authentication.js';

const issuer = 'https://auth.example';
const endpoints = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ['code'],
};
const byHand = { clientId: 'by-hand', clientSecret: 'secret' };
const client = { client_id: 'by-hand', client_secret: 'secret', issuer };

function metadataOf(...methods: string[]) {
  return { ...endpoints, token_endpoint_auth_methods_supported: methods };
}

/** The ways in which a request came, until one was taken. */
async function ways(accepted: string, subject: Parameters<typeof asClient>[0]): Promise<string[]> {
  const seen: string[] = [];
  await asClient(subject, async (authenticate) => {
    const [headers, params] = [new Headers(), new URLSearchParams()];
    await authenticate(headers, params, issuer, undefined);
    const way = headers.get('authorization') ? 'basic' : params.has('client_secret') ? 'post' : '';
    seen.push(way);
    if (way !== accepted) {
      throw new OAuthError(OAuthErrorCode.InvalidClient, 'not this way');
    }
  }).catch(() => seen.push('refused'));
  return seen;
}

describe('a client that was registered by hand', () => {
  it('tries the ways that its server knows', async () => {
    const both = metadataOf('client_secret_basic', 'client_secret_post');
    const subject = { settings: byHand, client, metadata: both };
    expect(await ways('basic', subject)).toEqual(['basic']);
    expect(await ways('post', subject)).toEqual(['basic', 'post']);
    expect(await ways('none', subject)).toEqual(['basic', 'post', 'refused']);
    const metadata = metadataOf('client_secret_basic');
    expect(await ways('post', { ...subject, metadata })).toEqual(['basic', 'refused']);
    expect(await ways('post', { ...subject, metadata: undefined })).toEqual(['basic', 'post']);
  });

  it('starts with the one that was taken before', () => {
    const known = { ...client, token_endpoint_auth_method: 'client_secret_post' };
    const subject = { settings: byHand, client: known, metadata: undefined };
    expect(clientMethods(subject)).toEqual(['client_secret_post', 'client_secret_basic']);
  });

  it('keeps to its key', () => {
    const settings = { ...byHand, privateKey: 'pem' };
    const metadata = metadataOf('client_secret_basic', 'private_key_jwt');
    expect(clientMethods({ settings, client, metadata })).toEqual(['private_key_jwt']);
  });
});

describe('a client that registered itself', () => {
  it('keeps to what it registered, where an endpoint takes it', () => {
    const registered = { ...client, token_endpoint_auth_method: 'client_secret_post' };
    const metadata = {
      ...metadataOf('client_secret_post'),
      revocation_endpoint_auth_methods_supported: ['client_secret_basic'],
    };
    const subject = { settings: {}, client: registered, metadata };
    expect(clientMethods(subject)).toEqual(['client_secret_post']);
    expect(clientMethods({ ...subject, endpoint: 'revocation' })).toEqual(['client_secret_basic']);
  });

  it('has nothing to present without a secret', () => {
    const metadata = metadataOf('client_secret_basic');
    const subject = { settings: {}, client: { client_id: 'public', issuer }, metadata };
    expect(clientMethods(subject)).toEqual(['none']);
  });

  it.each([
    [['none', 'client_secret_post'], 'none'],
    [['client_secret_post'], 'client_secret_post'],
    [['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
    [['tls_client_auth'], undefined],
    [[], 'none'],
  ])('asks a server that takes %j for %s', (methods, wanted) => {
    expect(methodToRegister({}, metadataOf(...methods), false)).toBe(wanted);
  });
});
