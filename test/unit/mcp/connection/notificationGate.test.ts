import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.js';
import { NotificationGate } from '../../../../src/mcp/connection/notificationGate.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('passes responses and requests always, and of a flood the beginning and the end', () => {
  const delivered: JsonObject[] = [];
  const dropped: unknown[] = [];
  const gate = new NotificationGate(
    (message) => void delivered.push(message),
    (method, count) => void dropped.push([method, count]),
  );
  for (let n = 1; n <= 1000; n++) {
    gate.push({ jsonrpc: '2.0', method: 'notifications/message', params: { n } });
  }
  gate.push({ jsonrpc: '2.0', id: 1, result: {} });
  gate.push({ jsonrpc: '2.0', id: 2, method: 'ping' });
  gate.push({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  expect(delivered).toHaveLength(203);
  vi.advanceTimersByTime(2000);
  expect(delivered).toHaveLength(204);
  expect(delivered.at(-1)?.params).toEqual({ n: 1000 });
  expect(dropped).toEqual([['notifications/message', 799]]);
  gate.dispose();
});
