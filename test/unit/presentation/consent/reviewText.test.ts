import { describe, expect, it } from 'vitest';
import type { LaunchDescription } from '../../../../src/config/launch/launchDescription.js';
import type { ConsentRequest } from '../../../../src/mcp/mcpApi.js';
import { consentText } from '../../../../src/presentation/consent/consentText.js';
import { reviewText } from '../../../../src/presentation/consent/reviewText.js';

const folder = { uri: 'file:///work/api', name: 'api', fsPath: '/work/api' };

function description(argv: readonly string[], env = 'A'): LaunchDescription {
  return {
    kind: 'stdio',
    argv,
    inheritEnv: false,
    env: [{ name: 'MODE', text: env }],
    headers: [],
    settings: [],
    reads: [],
    addresses: [],
    traits: [],
  };
}

function request(name: string, change: Partial<ConsentRequest> = {}): ConsentRequest {
  return {
    serverId: `file:///work/api#${name}`,
    name,
    reason: { kind: 'never_consented' },
    description: description(['node', 'a.js']),
    ...change,
  };
}

describe('the review document', () => {
  it('has a section for each server, with what changed and the commit of its file', () => {
    const changed = request('docs', {
      reason: { kind: 'changed', consented: description(['node', 'a.js'], 'B') },
    });
    const commit = { hash: 'abc1', date: '2026-01-02', author: 'A\nB', subject: 'x\u202ey' };
    const text = reviewText([{ folder, requests: [request('memory'), changed] }], () => ({
      path: '/work/api/.mcp.json',
      commit,
    }));
    expect(text).toContain('@@ 1 of 2 @@ server memory, folder api\n  command: node a.js\n');
    expect(text).toContain('\n- environment: MODE=B\n+ environment: MODE=A\n');
    expect(text).toContain('\n  declared in: /work/api/.mcp.json\n');
    expect(text).toContain('  last commit of this file: abc1, 2026-01-02, "A\\nB": "x\\u{202e}y"');
  });

  it('cuts nothing, in lines that VS Code draws whole and no text can forge', () => {
    const argument = `${'x'.repeat(30_000)}\n@@ 2 of 2 @@ server harmless`;
    const requests = Array.from({ length: 60 }, (_, index) =>
      request(`s${index}`, { description: description(['node', `${argument}${index}`]) }),
    );
    expect(consentText([{ folder, requests }]).fitsDialog).toBe(false);
    const lines = reviewText([{ folder, requests }], () => undefined).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200);
    expect(lines.filter((line) => line.startsWith('@@'))).toHaveLength(60);
    const whole = lines.map((line) => line.trim()).join('');
    expect(whole).toContain('x'.repeat(30_000));
    expect(whole).toContain('server harmless59');
  });
});

describe('the dialog', () => {
  it('shows what a small screen has room for, and leaves the rest to the document', () => {
    const few = [request('a'), request('b'), request('c')];
    expect(consentText([{ folder, requests: few }]).fitsDialog).toBe(true);
    const many = Array.from({ length: 12 }, (_, index) => request(`s${index}`));
    expect(consentText([{ folder, requests: many }]).fitsDialog).toBe(false);
    const long = [request('a', { description: description(['x'.repeat(2000)]) })];
    expect(consentText([{ folder, requests: long }]).fitsDialog).toBe(false);
  });
});
