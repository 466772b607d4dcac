import { expect, it } from 'vitest';
import { languageIdOf } from '../../../../src/presentation/language/codeLanguage.js';

const known = ['plaintext', 'typescript', 'shellscript', 'cpp', 'python'];

it.each([
  ['ts', 'typescript'],
  ['TypeScript', 'typescript'],
  ['bash', 'shellscript'],
  ['c++', 'cpp'],
  ['', 'plaintext'],
  ['klingon', 'plaintext'],
  ['constructor', 'plaintext'],
  ['rust', 'plaintext'],
])('opens code of %j as %s', (name, id) => {
  expect(languageIdOf(name, known)).toBe(id);
});
