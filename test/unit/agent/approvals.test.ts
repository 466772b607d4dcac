import { expect, it } from 'vitest';
import { Approvals } from '../../../src/agent/approvals.js';

function create(options: { isYolo?: boolean } = {}) {
  return new Approvals({
    identify: (tool) =>
      tool.startsWith('demo__')
        ? { key: tool, mcp: { server: 'demo', tool: tool.slice(6) }, claims: ['read-only'] }
        : { key: tool, claims: [] },
    runsWithoutAsking: (tool) => tool === 'read' || tool === 'demo__read',
    isYolo: () => options.isYolo ?? false,
  });
}

function request(tool: string, toolCallId = 'c1') {
  return { toolCallId, tool, args: { path: 'a' } };
}

it('asks for everything but built-in tools that read; a claim changes nothing', async () => {
  const approvals = create();
  await expect(approvals.check(request('read'), undefined)).resolves.toBe('allowed');
  void approvals.check(request('demo__read'), undefined);
  void approvals.check(request('bash', 'c2'), undefined);
  expect(approvals.open).toEqual([
    {
      id: 'approval-1',
      toolCallId: 'c1',
      tool: 'demo__read',
      mcp: { server: 'demo', tool: 'read' },
      args: '{\n  "path": "a"\n}',
      claims: ['read-only'],
    },
    expect.objectContaining({ id: 'approval-2', toolCallId: 'c2', tool: 'bash', claims: [] }),
  ]);
});

it('settles several open approvals one by one, in any order', async () => {
  const approvals = create();
  const first = approvals.check(request('bash', 'c1'), undefined);
  const second = approvals.check(request('edit', 'c2'), undefined);
  approvals.decide('approval-2', 'deny');
  await expect(second).resolves.toBe('denied');
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c1']);
  approvals.decide('approval-2', 'once');
  approvals.decide('approval-1', 'once');
  await expect(first).resolves.toBe('allowed');
  expect(approvals.open).toEqual([]);
});

it('asks again after "once", not after "for this session", and only for that tool', async () => {
  const approvals = create();
  const first = approvals.check(request('bash'), undefined);
  approvals.decide('approval-1', 'once');
  await first;
  const second = approvals.check(request('bash'), undefined);
  approvals.decide('approval-2', 'session');
  await expect(second).resolves.toBe('allowed');
  await expect(approvals.check(request('bash'), undefined)).resolves.toBe('allowed');
  void approvals.check(request('edit'), undefined);
  expect(approvals.open).toHaveLength(1);
});

it('cancels on abort, on request and on disposal', async () => {
  const approvals = create();
  const controller = new AbortController();
  const aborted = approvals.check(request('bash', 'c1'), controller.signal);
  const cancelled = approvals.check(request('bash', 'c2'), undefined);
  controller.abort();
  await expect(aborted).resolves.toBe('cancelled');
  expect(approvals.open).toHaveLength(1);
  approvals.cancelAll();
  await expect(cancelled).resolves.toBe('cancelled');
  await expect(approvals.check(request('read'), controller.signal)).resolves.toBe('cancelled');
  const last = approvals.check(request('bash', 'c3'), undefined);
  approvals.dispose();
  await expect(last).resolves.toBe('cancelled');
  await expect(approvals.check(request('read'), undefined)).resolves.toBe('cancelled');
});

it('asks nothing while the user has chosen so', async () => {
  await expect(create({ isYolo: true }).check(request('bash'), undefined)).resolves.toBe('allowed');
});
