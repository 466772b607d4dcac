import { describe, expect, it } from 'vitest';
import type { McpServerOptions, ToolExposure } from '../../../../src/config/definition.js';
import { requestedExposure, settleExposure } from '../../../../src/mcp/catalog/exposure.js';

function requested(
  options: Partial<McpServerOptions>,
  directTools?: string,
  isOn = true,
): ToolExposure {
  return requestedExposure(
    { server: 'files', tool: 'read', name: 'files__read', options },
    { directTools, isOn: () => isOn },
  );
}

describe('requestedExposure', () => {
  it.each<[string, Partial<McpServerOptions>, ToolExposure]>([
    ['nothing', {}, 'auto'],
    ['the exposure of its server', { exposure: 'proxy' }, 'proxy'],
    ['direct tools', { directTools: true }, 'direct'],
    ['no direct tools', { directTools: false }, 'search'],
    ['its name among direct tools', { directTools: ['read'], exposure: 'proxy' }, 'direct'],
    ['the name that the model uses among direct tools', { directTools: ['files__read'] }, 'direct'],
    ['other direct tools', { directTools: ['write'] }, 'search'],
    [
      'other direct tools of a proxied server',
      { directTools: ['write'], exposure: 'proxy' },
      'proxy',
    ],
    ['its exclusion', { excludeTools: ['read'], directTools: true }, 'hidden'],
    ['its exclusion by the name that the model uses', { excludeTools: ['files__read'] }, 'hidden'],
    ['its exclusion as pi-mcp-adapter spells it', { excludeTools: ['files_read'] }, 'hidden'],
    ['a selection without it', { includeTools: ['write'] }, 'hidden'],
    ['a selection with it', { includeTools: ['read'] }, 'auto'],
    ['a hidden server', { exposure: 'hidden', directTools: true }, 'hidden'],
  ])('follows %s', (_, options, expected) => {
    expect(requested(options)).toBe(expected);
  });

  it.each<[string, ToolExposure]>([
    ['*', 'direct'],
    ['files', 'direct'],
    ['files/*', 'direct'],
    ['other, files/read', 'direct'],
    ['files/write', 'search'],
    ['other', 'search'],
    ['__none__', 'search'],
    ['files, __none__', 'search'],
    ['  ', 'auto'],
  ])('lets MCP_DIRECT_TOOLS=%s go before the file', (value, expected) => {
    expect(requested({}, value)).toBe(expected);
    const directTools = expected !== 'direct';
    expect(requested({ directTools }, value)).toBe(expected === 'auto' ? 'direct' : expected);
  });

  it('knows a tool by every prefix, since a project may choose another than the user wrote', () => {
    const subject = { server: 'git-hub', tool: 'delete', name: 'delete' };
    for (const name of ['git_hub__delete', 'mcp__git_hub__delete', 'delete']) {
      const options = { excludeTools: [name] };
      expect(
        requestedExposure({ ...subject, options }, { directTools: undefined, isOn: () => true }),
      ).toBe('hidden');
    }
  });

  it('keeps what is hidden from MCP_DIRECT_TOOLS, and what the user switched off from everything', () => {
    expect(requested({ excludeTools: ['read'] }, '*')).toBe('hidden');
    expect(requested({ directTools: true }, '*', false)).toBe('hidden');
  });
});

it('finds the tools of a switched-off gateway by search', () => {
  const subject = {
    server: 'files',
    tool: 'read',
    name: 'files__read',
    options: { exposure: 'proxy' },
  } as const;
  const rules = { directTools: undefined, isProxyDisabled: true, isOn: () => true };
  expect(requestedExposure(subject, rules)).toBe('search');
});

describe('settleExposure', () => {
  const tool = (wished: ToolExposure, tokens: number) => ({
    requested: wished,
    tokens: () => tokens,
  });

  it('makes auto direct while all direct tools fit together, else found by search', () => {
    const tools = [tool('auto', 400), tool('direct', 500), tool('proxy', 9_000), tool('auto', 100)];
    expect(settleExposure(tools, 1_000)).toEqual(['direct', 'direct', 'proxy', 'direct']);
    expect(settleExposure(tools, 999)).toEqual(['search', 'direct', 'proxy', 'search']);
  });

  it('counts no further than it must', () => {
    const counted: number[] = [];
    const tools = Array.from({ length: 9 }, (_, index) => ({
      requested: 'auto' as const,
      tokens: () => counted.push(index) && 600,
    }));
    settleExposure(tools, 1_000);
    expect(counted).toEqual([0, 1]);
    counted.length = 0;
    settleExposure([{ requested: 'direct', tokens: () => counted.push(0) }], 1);
    expect(counted).toEqual([]);
  });
});
