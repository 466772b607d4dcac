import { describe, expect, it } from 'vitest';
import { explainFailure } from '../../../../src/agent/transcript/modelFailure.js';

describe('explainFailure', () => {
  it.each([
    ['401 Incorrect API key provided', 'rejected your API key', 'logIn'],
    ['403 Forbidden', 'may not use', 'logIn'],
    ['429 Too Many Requests', 'no more requests', undefined],
    ['Error: 529 {"type":"overloaded_error"}', 'no more requests', undefined],
    ['You exceeded your current quota: insufficient_quota', 'credit', 'chooseModel'],
    ['Connection error.', 'could not be reached', 'openModels'],
    ['connect ECONNREFUSED 127.0.0.1:1', 'could not be reached', 'openModels'],
    ['404 The model `gpt-x` does not exist', 'not offered any more', 'chooseModel'],
    ['502 Bad Gateway', 'returned a server error', undefined],
    ["400 This model's maximum context length is 8192 tokens", 'too long', 'newConversation'],
    ['prompt is too long: 210000 tokens > 200000 maximum', 'too long', 'newConversation'],
  ])('knows what %j means', (message, title, action) => {
    const failure = explainFailure(message);
    expect(failure.text).toContain(title);
    expect(failure.text).toContain(message);
    expect(failure.remedy).toMatch(/\.$/);
    expect(failure.actions?.[0]).toBe(action);
  });

  it('keeps what it does not know, and says what can be done', () => {
    expect(explainFailure('400 Asked to fail')).toEqual({
      text: '400 Asked to fail',
      remedy: 'Try again, or choose another model.',
    });
  });

  it('leaves out what Pi says about its own command line', () => {
    const { text } = explainFailure(
      'No API key found for acme.\n\nUse /login to log in. See:\n  /x/y',
    );
    expect(text).toBe('The provider rejected your API key or login. (No API key found for acme.)');
  });

  it('shows no page of a proxy whole, and no key', () => {
    expect(explainFailure(`<html>${'x'.repeat(5_000)}`).text.length).toBeLessThan(600);
    const { text } = explainFailure(
      '401 Incorrect API key provided: sk-proj-abcdefghijklmnop1234567890.',
    );
    expect(text).not.toContain('abcdefghijklmnop');
  });
});
