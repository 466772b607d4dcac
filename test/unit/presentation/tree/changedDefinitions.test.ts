import { describe, expect, it } from 'vitest';
import { itemFlags } from '../../../../src/contributions.js';
import type { FolderTrust, McpService } from '../../../../src/mcp/mcpApi.js';
import type { DefinitionChange, McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { serverPageView } from '../../../../src/presentation/server/serverPageView.js';
import { summarize } from '../../../../src/presentation/statusBar/statusSummary.js';
import { presentNode, rootNodes, serverNode } from '../../../../src/presentation/tree/nodes.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const context = { isWorkspaceTrusted: true, folderTrust: (): FolderTrust => ({ kind: 'none' }) };
const connected: McpServerState = { kind: 'connected', transport: 'stdio', since: 0, connectMs: 1 };
const change = (
  kind: DefinitionChange['kind'],
  name: string,
  shown: DefinitionChange['shown'],
): DefinitionChange => ({
  kind,
  name,
  shown,
  fingerprint: name,
  before: undefined,
  definition: {},
});

function changed(...changes: readonly DefinitionChange[]) {
  const server = new FakeServer(fakeDefinition('docs'), connected, {
    tools: [{ name: 'read', inputSchema: {} }],
    ...(changes.length > 0 && { changes }),
  });
  const service = new FakeService([fakePool([server])]) as unknown as McpService;
  const row = presentNode(serverNode(server), context);
  const page = serverPageView(service, { id: server.id, name: 'docs' }, context);
  const actions = page.sections.flatMap((section) => section.actions.map(({ title }) => title));
  return {
    text: row.description,
    isToReview: row.flags.split(' ').includes(itemFlags.awaitsConsent),
    hasReviewRow: rootNodes(service)[0]?.kind === 'review',
    toReview: summarize([server])?.toReview,
    hasReviewOnPage: actions.includes('Review…'),
  };
}

describe('definitions that a server changed', () => {
  it('are told on its row and its page, and wait at the top and in the status bar while they are held', () => {
    expect(changed(change('tool', 'a', 'before'), change('tool', 'b', 'nothing'))).toEqual({
      text: 'changed definitions: 2 · 1 tool',
      isToReview: true,
      hasReviewRow: true,
      toReview: 1,
      hasReviewOnPage: true,
    });
    expect(changed(change('instructions', '', 'before')).text).toBe(
      'changed definitions: 1 · 1 tool',
    );
  });

  it('that are in use already wait nowhere, and can be looked at', () => {
    expect(changed(change('tool', 'a', 'now'))).toEqual({
      text: 'changed definitions: 1 · 1 tool',
      isToReview: true,
      hasReviewRow: false,
      toReview: 0,
      hasReviewOnPage: true,
    });
  });

  it('are nothing where nothing changed', () => {
    expect(changed()).toEqual({
      text: '1 tool',
      isToReview: false,
      hasReviewRow: false,
      toReview: 0,
      hasReviewOnPage: false,
    });
  });
});
