import { expect, it } from 'vitest';
import { exportHar } from '../../../../src/mcp/traffic/harFile.js';
import { Recording } from '../../../../src/mcp/traffic/recording.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';

const url = 'https://host.example/mcp?a=1&b=two';

function record() {
  const clock = new FakeClock();
  const recording = new Recording(clock);
  return { clock, recording, tap: recording.open('http', (text) => text) };
}

it('has each exchange with its times, its headers and what it carried', () => {
  const { clock, recording, tap } = record();
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'add' } };
  const answer = { jsonrpc: '2.0', id: 7, result: { content: [] } };
  tap.message('sent', call);
  const body = JSON.stringify(call);
  const headers = { Accept: 'application/json', Authorization: 'Bearer abc' };
  tap.http({ exchange: 1, phase: 'request', method: 'POST', url, headers, body });
  clock.advance(30);
  const given = new Headers({ 'Content-Type': 'application/json' });
  tap.http({ exchange: 1, phase: 'response', status: 200, headers: given });
  clock.advance(12);
  tap.http({ exchange: 1, phase: 'end', end: 'ended', bytes: 64 });
  tap.message('received', answer);
  const { entries } = JSON.parse(exportHar(recording.records, '1')).log;
  expect(entries).toEqual([
    {
      startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      time: 42,
      request: {
        method: 'POST',
        url,
        httpVersion: '',
        cookies: [],
        headers: [
          { name: 'accept', value: 'application/json' },
          { name: 'authorization', value: '***REDACTED***' },
        ],
        queryString: [
          { name: 'a', value: '1' },
          { name: 'b', value: 'two' },
        ],
        headersSize: -1,
        bodySize: body.length,
        postData: { mimeType: 'application/json', text: body },
      },
      response: {
        status: 200,
        statusText: '',
        httpVersion: '',
        cookies: [],
        headers: [{ name: 'content-type', value: 'application/json' }],
        content: { size: 64, mimeType: 'application/json', text: JSON.stringify(answer) },
        redirectURL: '',
        headersSize: -1,
        bodySize: 64,
      },
      cache: {},
      timings: { send: 0, wait: 30, receive: 12 },
      connection: '1',
    },
  ]);
});

it('has what broke off, what is still open, and nothing without a beginning', () => {
  const { clock, recording, tap } = record();
  tap.http({ exchange: 1, phase: 'end', end: 'ended', bytes: 1 });
  const begin = { phase: 'request', method: 'GET', headers: undefined, body: undefined } as const;
  tap.http({ exchange: 2, ...begin, url });
  tap.http({ exchange: 3, ...begin, url: 'no address' });
  clock.advance(5);
  tap.http({ exchange: 2, phase: 'end', end: 'broken', bytes: 0, error: new Error('reset') });
  const { entries } = JSON.parse(exportHar(recording.records, '1')).log;
  expect(entries).toMatchObject([
    { time: 5, comment: 'reset', response: { status: 0 } },
    { time: 0, request: { queryString: [] }, response: { content: { size: -1 } } },
  ]);
});
