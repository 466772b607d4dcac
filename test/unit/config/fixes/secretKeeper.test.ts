import { describe, expect, it } from 'vitest';
import { SecretKeeper } from '../../../../src/config/fixes/secretKeeper.js';
import { createAnswers } from '../../../helpers/fakes/fakeAnswers.js';

// of no service: only its shape is one of a token
const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;
const pool = { id: 'file:///nowhere', inputs: [{ id: 'a-env-token', isPassword: true }] };

const plan = (...entries: readonly Record<string, unknown>[]) =>
  new SecretKeeper(createAnswers()).plan(
    entries.map((entry) => ({ name: 'a', entry })),
    pool,
  );

describe('SecretKeeper', () => {
  it.each([
    [
      'a header, whose scheme stays readable',
      { url: 'https://a.example', headers: { Authorization: `Bearer ${token}` } },
      { headers: { Authorization: 'Bearer ${input:a-authorization}' } },
      'headers',
    ],
    [
      'an argument in a command that is an array',
      { command: ['x', '--api-key', token] },
      { command: ['x', '--api-key', '${input:a-api-key}'] },
      'args',
    ],
    [
      'an argument behind its flag',
      { command: 'x', args: ['-y', `--api-key=${token}`] },
      { args: ['-y', '--api-key=${input:a-api-key}'] },
      'args',
    ],
    [
      'a secret of the client',
      { url: 'https://a.example', oauth: { clientId: 'c', clientSecret: token } },
      { oauth: { clientId: 'c', clientSecret: '${input:a-clientsecret}' } },
      'oauth.clientSecret',
    ],
  ])('takes %s', async (_what, entry, expected, field) => {
    const { servers, answers } = await plan(entry);
    expect(servers[0]?.entry).toMatchObject(expected);
    expect(answers.map(({ value, secret }) => [value, secret.field])).toEqual([[token, field]]);
    expect(servers[0]?.inputs).toMatchObject([{ id: answers[0]?.key.inputId, password: true }]);
  });

  it('leaves alone what is no secret, or is kept as it is', async () => {
    const entry = {
      command: 'x',
      args: ['--api-key', '${API_KEY}', '--token=***REDACTED***'],
      env: { API_TOKEN: '***REDACTED***', OTHER_TOKEN: 'your-token-here', LEVEL: 'debug' },
    };
    expect(await plan(entry)).toEqual({ servers: [{ name: 'a', entry }], answers: [] });
  });

  it('gives every secret an id of its own', async () => {
    const entry = { command: 'x', env: { ENV_TOKEN: token } };
    const { answers } = await plan(entry, entry);
    expect(answers.map(({ key }) => key)).toEqual([
      { poolId: pool.id, inputId: 'a-env-token-2' },
      { poolId: pool.id, inputId: 'a-env-token-3' },
    ]);
  });

  it('leaves what another window has stored meanwhile as it was when nothing is written', async () => {
    const answers = createAnswers();
    const keeper = new SecretKeeper(answers);
    const planned = await keeper.plan(
      [{ name: 'b', entry: { command: 'x', env: { ENV_TOKEN: token } } }],
      pool,
    );
    const key = { poolId: pool.id, inputId: 'b-env-token' };
    await answers.set(key, 'of another window');
    const refused = keeper.carryOut(planned, () => Promise.reject(new Error('name taken')));
    await expect(refused).rejects.toThrow('name taken');
    expect(await answers.get(key)).toBe('of another window');
  });

  it('takes names that objects have of themselves for names', async () => {
    const entry = JSON.parse(
      `{ "command": "x", "env": { "__proto__": "${token}", "constructor": "${token}" } }`,
    );
    const { servers } = await plan(entry);
    const env = JSON.stringify(servers[0]?.entry.env);
    expect(env).toBe('{"__proto__":"${input:a-proto}","constructor":"${input:a-constructor}"}');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
