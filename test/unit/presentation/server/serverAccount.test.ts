/** What the page of a server says of the account that it is used with. */
import { expect, it } from 'vitest';
import type { FolderTrust, McpService, ServerAccount } from '../../../../src/mcp/mcpApi.js';
import { serverPageView } from '../../../../src/presentation/server/serverPageView.js';
import { httpLaunch } from '../../../fixtures/connections.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const nobody: ServerAccount = { hasTokens: false, hasClient: false, name: undefined, names: [] };
const signedIn = { ...nobody, hasTokens: true, hasClient: true };

const failure = { code: 'unauthorized', message: 'Sign in.', remedy: '', stderrTail: [] } as const;

function accountOnPage(account: ServerAccount) {
  const definition = fakeDefinition('notes', {
    change: { launch: httpLaunch('https://notes.example/mcp') },
  });
  const server = new FakeServer(definition, { kind: 'needs_auth', failure });
  const service = new FakeService([fakePool([server])]) as unknown as McpService;
  const context = {
    isWorkspaceTrusted: true,
    folderTrust: (): FolderTrust => ({ kind: 'none' }),
    storedAccount: () => account,
  };
  const { sections } = serverPageView(service, { id: server.id, name: 'notes' }, context);
  const section = sections.find(({ title }) => title === 'Account');
  return {
    facts: section?.facts.map(({ label, text }) => `${label}: ${text}`),
    actions: section?.actions.map(({ title }) => title),
  };
}

it.each<[string, ServerAccount, readonly string[], readonly string[]]>([
  ['nobody is signed in', nobody, ['Account: You are not signed in.'], ['Sign In']],
  [
    'there is one account',
    signedIn,
    ['Account: You are signed in.'],
    ['Sign In', 'Sign Out', 'Use Another Account…'],
  ],
  [
    'one of several is used',
    { ...signedIn, name: 'work', names: ['home', 'work'] },
    ['Account: You are signed in.', 'Name: work'],
    ['Sign In', 'Sign Out', 'Use Another Account…'],
  ],
  [
    'the one without a name is used beside others',
    { ...nobody, names: ['work'] },
    ['Account: You are not signed in.', 'Name: Account Without a Name'],
    ['Sign In', 'Use Another Account…'],
  ],
])('is right when %s', (_name, account, facts, actions) => {
  expect(accountOnPage(account)).toEqual({ facts, actions });
});

it('draws a name on one line', () => {
  const { facts } = accountOnPage({ ...signedIn, name: 'a\nb', names: ['a\nb'] });
  expect(facts?.at(-1)).toBe('Name: a\\nb');
});
