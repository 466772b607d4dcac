/** The two secrets of a gateway, which live in memory and end with it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `use`: lists and calls. `manage`: changes of the configuration as well. */
export type Grant = 'use' | 'manage';

const tokenBytes = 32;

export class AccessTokens {
  readonly use = randomBytes(tokenBytes).toString('base64url');
  readonly manage = randomBytes(tokenBytes).toString('base64url');
  private readonly digests = { use: digest(this.use), manage: digest(this.manage) };

  /** What the value of an `Authorization` header allows; takes the same time whatever is wrong with it. */
  grantOf(authorization: string | undefined): Grant | undefined {
    const [, presented = ''] = /^Bearer +([A-Za-z0-9_-]{1,256})$/i.exec(authorization ?? '') ?? [];
    const found = digest(presented);
    const isUse = timingSafeEqual(found, this.digests.use);
    const isManage = timingSafeEqual(found, this.digests.manage);
    if (isManage) {
      return 'manage';
    }
    return isUse ? 'use' : undefined;
  }
}

/** Texts of any length become equally long. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
