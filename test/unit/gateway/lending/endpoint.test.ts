import { expect, it } from 'vitest';
import { Endpoint } from '../../../../src/gateway/lending/endpoint.js';
import { LentCalls } from '../../../../src/gateway/lending/lentCalls.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

it('has other tools for its clients only where rules that changed say so', () => {
  const tools = ['a', 'b'].map((name) => ({ name, inputSchema: {} }));
  const server = new FakeServer(fakeDefinition('one'), { kind: 'idle' }, { tools });
  const off = new Set<string>();
  const lent = { all: [server], isToolLent: (_server: unknown, tool: string) => !off.has(tool) };
  const endpoint = new Endpoint({ lent: lent as never, calls: new LentCalls() });
  const before = endpoint.basis.tools;
  endpoint.names.forget();
  expect(endpoint.basis.tools).toEqual(before);
  off.add('b');
  endpoint.names.forget();
  expect(endpoint.basis.tools).not.toEqual(before);
});
