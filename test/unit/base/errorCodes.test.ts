import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coreErrors, editorErrors, problemCodes } from '../../../src/base/errorCodes.js';

const all = { ...coreErrors, ...editorErrors, ...problemCodes };

describe('the catalogue of errors', () => {
  it('has each code once, however it is written', () => {
    const codes = [coreErrors, editorErrors, problemCodes].flatMap((part) => Object.keys(part));
    expect(new Set(codes.map((code) => code.replaceAll('-', '_'))).size).toBe(codes.length);
  });

  it('says a different sentence for each code', () => {
    const sentences = Object.values(all);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences.filter((sentence) => !/^[A-Z`n].*\.$/.test(sentence))).toEqual([]);
  });

  it('has no code that nothing raises', () => {
    const files = execFileSync('git', ['ls-files', 'src/*.ts'], { encoding: 'utf8' }).trim();
    const source = files
      .split('\n')
      .filter((file) => !file.endsWith('/errorCodes.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    expect(Object.keys(all).filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });
});
