/** The two secrets of a gateway, which live in memory and end with it. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

/** `use`: lists and calls. `manage`: changes of the configuration as well. */
export type Grant = 'use' | 'manage';

const tokenBytes = 32;
/** Everybody knows it, so a text of another length may be told from a token at once. */
const tokenLength = Math.ceil((tokenBytes * 4) / 3);
const noToken = '0'.repeat(tokenLength);

export class AccessTokens {
  readonly use = randomBytes(tokenBytes).toString('base64url');
  readonly manage = randomBytes(tokenBytes).toString('base64url');
  private readonly known = { use: Buffer.from(this.use), manage: Buffer.from(this.manage) };

  /** What the value of an `Authorization` header allows; takes the same time whichever character of a token is wrong. */
  grantOf(authorization: string | undefined): Grant | undefined {
    const [, presented = ''] = /^Bearer +([A-Za-z0-9_-]{1,256})$/i.exec(authorization ?? '') ?? [];
    return this.grantFor(presented);
  }

  /** As {@link grantOf}, with the token as the password that a browser asks for too. */
  grantOfPassword(authorization: string | undefined): Grant | undefined {
    const [, encoded] = /^Basic +([A-Za-z0-9+/=]{1,512})$/i.exec(authorization ?? '') ?? [];
    if (encoded === undefined) {
      return this.grantOf(authorization);
    }
    const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
    return this.grantFor(password);
  }

  private grantFor(presented: string): Grant | undefined {
    const hasLength = presented.length === tokenLength;
    const found = Buffer.from(hasLength ? presented : noToken, 'latin1');
    const isUse = timingSafeEqual(found, this.known.use) && hasLength;
    const isManage = timingSafeEqual(found, this.known.manage) && hasLength;
    if (isManage) {
      return 'manage';
    }
    return isUse ? 'use' : undefined;
  }
}
