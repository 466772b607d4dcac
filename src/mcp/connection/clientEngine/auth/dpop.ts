import { DpopSession, generateDpopKeyPair } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../../../../base/json.js';
import type { CredentialStore } from '../../../oauth/credentialStore.js';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

/** The key that the tokens of a server are bound to, made on first use and stored as long as they are. */
export async function loadDpopSession(credentials: CredentialStore): Promise<DpopSession> {
  const { dpopKey } = await credentials.read();
  const stored = dpopKey && (await importKey(dpopKey));
  if (stored) {
    return stored;
  }
  const keyPair = await generateDpopKeyPair({ alg: 'ES256', extractable: true });
  const privateJwk = await crypto.subtle.exportKey('jwk', keyPair.privateKey);
  const { publicJwk, thumbprint } = keyPair;
  await credentials.update((before) => ({
    ...before,
    dpopKey: { privateJwk, publicJwk, thumbprint },
  }));
  return DpopSession.create({ keyPair });
}

async function importKey(stored: JsonObject): Promise<DpopSession | undefined> {
  const { privateJwk, publicJwk, thumbprint } = stored;
  if (!isJsonObject(privateJwk) || !isJsonObject(publicJwk) || typeof thumbprint !== 'string') {
    return undefined;
  }
  try {
    const privateKey = await crypto.subtle.importKey('jwk', privateJwk, algorithm, false, ['sign']);
    const publicKey = await crypto.subtle.importKey('jwk', publicJwk, algorithm, true, ['verify']);
    return await DpopSession.create({
      keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: 'ES256' },
    });
  } catch {
    // a key that cannot be read is replaced, and its tokens with it
    return undefined;
  }
}
