/** What files say of tools in place of their servers, from the file to the server that is called. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CoreHarness, everything, find } from '../helpers/coreHarness.js';

let harness: CoreHarness;
beforeEach(async () => {
  harness = await CoreHarness.create();
});
afterEach(() => harness.dispose());

async function connect(toolOverrides: object) {
  await harness.writeGlobal({ all: { ...everything, toolOverrides } });
  const service = harness.open();
  await service.whenStarted();
  const server = find(service, 'all');
  await server.ensureConnected();
  const tool = (name: string) => server.catalog.value.tools.find((one) => one.name === name);
  return { service, server, tool };
}

describe('tools in the words of their entry', () => {
  it('have its texts, and keep the rest', async () => {
    const { server, tool } = await connect({
      echo: { description: 'Says it again.', title: 'Again', readOnly: true },
      'get-sum': { descriptionPrefix: 'Only for small numbers.' },
    });
    expect(tool('echo')).toMatchObject({
      title: 'Again',
      description: 'Says it again.',
      annotations: { title: 'Again', readOnlyHint: true },
      inputSchema: { required: ['message'] },
    });
    expect(tool('get-sum')?.description).toMatch(/^Only for small numbers\.\n\S/);
    // as the server says it, for whoever compares
    expect(server.catalog.value.replaced?.map(({ name }) => name)).toEqual(['echo', 'get-sum']);
    expect(server.catalog.value.replaced?.[0]?.description).not.toBe('Says it again.');
    expect(server.catalog.value.changes).toBeUndefined();
  });

  it('ask for no argument that is fixed, and send it whoever calls', async () => {
    const { server, tool } = await connect({ 'get-sum': { arguments: { b: 40 } } });
    expect(tool('get-sum')?.inputSchema).toMatchObject({ required: ['a'] });
    expect(Object.keys(Object(tool('get-sum')?.inputSchema.properties))).toEqual(['a']);
    const result = await server.callTool('get-sum', { a: 2, b: 1 });
    expect(JSON.stringify(result.content)).toContain('42');
  });

  it('say which input has no value', async () => {
    const { server } = await connect({ echo: { arguments: { message: '${input:gone}' } } });
    await expect(server.callTool('echo', {})).rejects.toThrow('needs the input gone');
  });

  it('change with the file while the server runs, and come from the cache as they are now', async () => {
    const { service, server, tool } = await connect({ echo: { descriptionPrefix: 'One.' } });
    const started = server.activity.restarts;
    await harness.writeGlobal({
      all: { ...everything, toolOverrides: { echo: { descriptionPrefix: 'Two.' } } },
    });
    await service.reload();
    expect(tool('echo')?.description).toMatch(/^Two\.\n(?!One)/);
    expect(server.activity.restarts).toBe(started);
    await harness.close(service);
    const next = harness.open();
    await next.whenStarted();
    const again = find(next, 'all');
    await expect.poll(() => again.catalog.value.tools.length).toBeGreaterThan(1);
    expect(again.catalog.value.tools.find(({ name }) => name === 'echo')?.description).toMatch(
      /^Two\.\n(?!Two|One)/,
    );
  });
});
