/** Rates that a server cannot exceed: its messages, and what it makes us log. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.js';
import { limitLogRate } from '../../../../src/mcp/connection/logRate.js';
import { NotificationGate } from '../../../../src/mcp/connection/reading/notificationGate.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the gate of a server', () => {
  let delivered: JsonObject[];
  let dropped: unknown[];
  let gate: NotificationGate;

  beforeEach(() => {
    delivered = [];
    dropped = [];
    gate = new NotificationGate(
      (message) => void delivered.push(message),
      (_level, sentence) => void dropped.push(sentence),
    );
  });

  afterEach(() => gate.dispose());

  it('passes responses always, and of a flood the beginning and the end', () => {
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
    expect(dropped).toEqual(['The server sent too many notifications/message; 799 were skipped.']);
  });

  it('keeps the latest progress of every call, so that a noisy one drowns no other', () => {
    const progress = (progressToken: number, value: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: value },
    });
    for (let n = 1; n <= 1000; n++) {
      gate.push(progress(1, n));
    }
    gate.push(progress(2, 1));
    for (let n = 1001; n <= 2000; n++) {
      gate.push(progress(1, n));
    }
    vi.advanceTimersByTime(2000);
    expect(delivered.slice(200).map(({ params }) => params)).toEqual([
      { progressToken: 2, progress: 1 },
      { progressToken: 1, progress: 2000 },
    ]);
  });

  it('keeps the latest news of every resource, within a bound', () => {
    for (let n = 1; n <= 1000; n++) {
      const method = 'notifications/resources/updated';
      gate.push({ jsonrpc: '2.0', method, params: { uri: `file:///${n}` } });
    }
    vi.advanceTimersByTime(2000);
    expect(delivered).toHaveLength(300);
    expect(delivered.at(-1)?.params).toEqual({ uri: 'file:///1000' });
    expect(dropped).toEqual([
      'The server sent too many notifications/resources/updated; 700 were skipped.',
    ]);
  });

  it('drops nothing because the clock was set back', () => {
    gate.push({ jsonrpc: '2.0', id: 1, method: 'ping' });
    vi.setSystemTime(Date.now() - 3_600_000);
    for (let id = 2; id <= 150; id++) {
      gate.push({ jsonrpc: '2.0', id, method: 'ping' });
    }
    expect(delivered).toHaveLength(150);
  });

  it('drops requests beyond the rate, whatever they ask for, and passes later ones', () => {
    for (let id = 1; id <= 1000; id++) {
      gate.push({ jsonrpc: '2.0', id, method: `ask_${id % 3}` });
    }
    expect(delivered).toHaveLength(200);
    vi.advanceTimersByTime(2000);
    expect(dropped).toEqual(['The server sent too many requests; 800 were skipped.']);
    gate.push({ jsonrpc: '2.0', id: 2000, method: 'ping' });
    expect(delivered).toHaveLength(201);
  });

  it('counts methods together that are made up without end', () => {
    for (let n = 1; n <= 10_000; n++) {
      gate.push({ jsonrpc: '2.0', method: `notifications/${n}` });
    }
    expect(delivered.length).toBeLessThan(300);
    gate.push({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(delivered.at(-1)).toMatchObject({ method: 'ping' });
  });
});

it('a log says that lines are skipped, and how many were', () => {
  let now = 0;
  const lines: string[] = [];
  const log = limitLogRate(
    (_level, message) => void lines.push(message),
    () => now,
  );
  for (let n = 1; n <= 5000; n++) {
    log('info', `line ${n}`);
  }
  expect(lines).toHaveLength(2001);
  expect(lines.at(-1)).toBe('The server writes too much; lines are skipped.');
  now = 1000;
  log('info', 'later');
  expect(lines.slice(-2)).toEqual(['3000 lines were skipped.', 'later']);
});
