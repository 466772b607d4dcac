import { describe, expect, it } from 'vitest';
import type { McpServerOptions } from '../../../../src/config/definition.js';
import type { EntryOptions } from '../../../../src/config/parse/configTypes.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import { OverriddenServer } from '../../../../src/mcp/service/overriddenServer.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

function serverWith(own: Partial<McpServerOptions>): FakeServer {
  const options = { ...defaultOptions, ...own };
  return new FakeServer(fakeDefinition('a', { change: { options } }), { kind: 'idle' });
}

function merged(own: Partial<McpServerOptions>, folder: EntryOptions): McpServerOptions {
  return new OverriddenServer(serverWith(own), folder).definition.options;
}

describe('OverriddenServer', () => {
  it.each<[string, Partial<McpServerOptions>, EntryOptions, Partial<McpServerOptions>]>([
    ['takes exposure', {}, { exposure: 'search' }, { exposure: 'search' }],
    ['hides', { exposure: 'direct' }, { exposure: 'hidden' }, { exposure: 'hidden' }],
    [
      'never shows the hidden',
      { exposure: 'hidden' },
      { exposure: 'direct' },
      { exposure: 'hidden' },
    ],
    [
      'adds exclusions',
      { excludeTools: ['a'] },
      { excludeTools: ['b'] },
      { excludeTools: ['a', 'b'] },
    ],
    ['keeps exclusions', { excludeTools: ['a'] }, { excludeTools: [] }, { excludeTools: ['a'] }],
    [
      'narrows inclusions',
      { includeTools: ['a'] },
      { includeTools: ['a', 'b'] },
      { includeTools: ['a'] },
    ],
    [
      'never exposes resources',
      { exposeResources: false },
      { exposeResources: true },
      { exposeResources: false },
    ],
    [
      'leaves the life of the process',
      {},
      { lifecycle: 'eager', idleTimeout: 0 },
      { lifecycle: 'lazy', idleTimeout: 10 },
    ],
  ])('%s', (_title, own, folder, expected) => {
    expect(merged(own, folder)).toMatchObject(expected);
  });

  it('is the same server otherwise', async () => {
    const server = serverWith({});
    const view = new OverriddenServer(server, { exposure: 'search' });
    expect(view.id).toBe(server.id);
    expect(view.state).toBe(server.state);
    expect(await view.restart()).toEqual({ kind: 'idle' });
  });
});
