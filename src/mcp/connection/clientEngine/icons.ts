import type { ResolvedHttpLaunch } from '../../../config/definition.js';
import { withBodyLimit } from '../http/bodyLimit.js';
import type { Fetch } from '../http/fetch.js';
import { imageData, maxIconLength } from '../reading/parseIcons.js';

const timeoutMs = 10_000;

/**
 * Loads icons that a remote server serves on its own origin over https: without credentials, without following it
 * elsewhere, and bounded. The result never rejects; it is a `data:` image or `undefined`.
 */
export function createIconReader(
  launch: ResolvedHttpLaunch,
  fetch: Fetch,
): (address: string) => Promise<string | undefined> {
  const { origin } = new URL(launch.url);
  const bounded = withBodyLimit(fetch, Math.floor((maxIconLength * 3) / 4));
  return async (address) => {
    const url = new URL(address);
    if (url.protocol !== 'https:' || url.origin !== origin) {
      return undefined;
    }
    try {
      const response = await bounded(url, {
        headers: { accept: 'image/png, image/webp, image/jpeg, image/svg+xml' },
        credentials: 'omit',
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return undefined;
      }
      const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
      const bytes = Buffer.from(await response.arrayBuffer());
      return imageData(`data:${type};base64,${bytes.toString('base64')}`);
    } catch {
      // nothing depends on an icon
      return undefined;
    }
  };
}
