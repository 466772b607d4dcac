import { expect, it } from 'vitest';
import { bookListening } from '../../../../src/gateway/wire/listening.js';
import { SessionBook } from '../../../../src/gateway/wire/sessionBook.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';

it('takes no place for a client that has gone while the wire was loaded', async () => {
  const sessions = new SessionBook(new FakeClock());
  const listen = (signal: AbortSignal) =>
    bookListening({ sessions }, new Request('http://127.0.0.1/mcp', { signal }), {
      method: 'subscriptions/listen',
    });
  listen(AbortSignal.abort());
  expect(sessions.size).toBe(0);
  listen(new AbortController().signal);
  expect(sessions.size).toBe(1);
});
