import { expect, it } from 'vitest';
import { presentNode, serverNode } from '../../../../src/presentation/tree/nodes.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const tool = { name: 'read', inputSchema: {} };

function rowOf(name: string) {
  const server = new FakeServer(fakeDefinition(name), { kind: 'idle' }, { tools: [tool] });
  const context = { isWorkspaceTrusted: true, folderTrust: () => ({ kind: 'none' as const }) };
  const { label, description } = presentNode(serverNode(server), context);
  return [label, description];
}

it.each(['שלום', 'خادم 2', 'my-שרת'])('keeps what is said of %s out of its direction', (name) => {
  expect(rowOf(name)).toEqual([name, '\u20681 tool\u2069']);
});

it.each(['notes', 'сервер', '服务器'])('adds nothing to what is said of %s', (name) => {
  expect(rowOf(name)).toEqual([name, '1 tool']);
});
