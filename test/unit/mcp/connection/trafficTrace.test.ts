import { expect, it } from 'vitest';
import { isSecretName } from '../../../../src/config/secrets/secretNames.js';
import { frameText } from '../../../../src/mcp/connection/trafficTrace.js';

it.each([
  ['by its name', { params: { password: 'hunter2', user: 'me' } }],
  ['by a name with signs', { params: { 'a"\\password': 'hunter2' } }],
  ['beside texts that look like fields', { note: '"x":', list: ['p', ':q'], api_key: 'hunter2' }],
])('hides what is secret %s', (_title, message) => {
  const text = frameText(message);
  expect(text).not.toContain('hunter2');
  expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(message));
});

it('writes what has no secret field as it is', () => {
  const message = { text: 'my "password": none', deep: [{ a: [1, 'b'] }] };
  expect(frameText(message)).toBe(JSON.stringify(message));
});

it('does not ask about each of a million values, of which none has a name', () => {
  const message = { result: Array.from({ length: 1_000_000 }, (_, index) => index % 10) };
  const cost = (write: () => unknown) => {
    const costs = [1, 2, 3].map(() => {
      const { user } = process.cpuUsage();
      write();
      return process.cpuUsage().user - user;
    });
    return Math.min(...costs);
  };
  const asking = cost(() =>
    JSON.stringify(message, (name, value) => (isSecretName(name) ? '' : value)),
  );
  expect(cost(() => frameText(message))).toBeLessThan(asking / 2);
});
