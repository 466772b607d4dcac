import { expect, it } from 'vitest';
import { parseExactJson } from '../../../../src/base/form/exactJson.js';

it('looks for numbers beside texts of any length', () => {
  const file = 'a'.repeat(12_000_000);
  expect(parseExactJson(JSON.stringify({ file, id: 7 }))).toMatchObject({ kind: 'value' });
  const number = '12345678901234567890';
  expect(parseExactJson(`{"file":"${file}","id":${number}}`)).toEqual({ kind: 'inexact', number });
  expect(parseExactJson(`{"a\\"${number}":"\\\\","b":"\\\\\\" ${number}"}`).kind).toBe('value');
});
