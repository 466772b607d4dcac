import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

type Verdict = 'proven' | 'not proven' | { readonly wantedNonce: string };

/** How a server sees (RFC 9449) that the sender of a request has the key that its token is bound to. */
export class DpopProofs {
  private nonce = randomUUID();
  private readonly seen = new Set<string>();

  constructor(private readonly url: string) {}

  /** The nonce that was given is not taken any more. */
  renewNonce(): void {
    this.nonce = randomUUID();
  }

  check(request: IncomingMessage, token: string, thumbprint: string | undefined): Verdict {
    const [head = '', body = '', signature = ''] = String(request.headers.dpop ?? '').split('.');
    if (!signature || !/^DPoP /i.test(request.headers.authorization ?? '')) {
      return 'not proven';
    }
    const { typ, jwk } = decode(head);
    const { htm, htu, ath, jti, nonce } = decode(body);
    const isProven =
      typ === 'dpop+jwt' &&
      isSigned(`${head}.${body}`, signature, jwk) &&
      thumbprintOf(jwk) === thumbprint &&
      htm === request.method &&
      htu === this.url &&
      ath === hash(token) &&
      !this.seen.has(String(jti));
    this.seen.add(String(jti));
    if (isProven && nonce !== this.nonce) {
      return { wantedNonce: this.nonce };
    }
    return isProven ? 'proven' : 'not proven';
  }
}

type Jwk = Readonly<Record<'crv' | 'kty' | 'x' | 'y', string>>;

function isSigned(text: string, signature: string, jwk: Jwk): boolean {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  return verify(
    'sha256',
    Buffer.from(text),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}

function thumbprintOf({ crv, kty, x, y }: Jwk): string {
  return hash(JSON.stringify({ crv, kty, x, y }));
}

function decode(part: string) {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
