import { expect, it } from 'vitest';
import type { FolderConsent } from '../../../../src/mcp/trust/canStart.js';
import { TrustService } from '../../../../src/mcp/trust/trustService.js';

const server = { hash: 'h' } as never;

it.each<[string, FolderConsent, object]>([
  ['nothing', { servers: {} }, { kind: 'none' }],
  ['some servers', { servers: { a: server, b: server } }, { kind: 'servers', count: 2 }],
  [
    'the folder',
    { servers: { a: server }, folderGrantedAt: '2026-01-01' },
    { kind: 'folder', grantedAt: '2026-01-01' },
  ],
])('says that consent covers %s', (_what, consent, trust) => {
  const service = new TrustService({
    gate: { shownConsentOf: () => consent },
    pools: { onDidRead: () => undefined },
    loggers: {},
  } as never);
  expect(service.folderTrust('file:///w')).toEqual(trust);
});
