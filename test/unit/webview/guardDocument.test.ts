import { expect, it } from 'vitest';
import { guardDocument } from '../../../src/webview/app/guardDocument.js';

it.each([
  ['a doctype', '<!DOCTYPE html><html>', '<!DOCTYPE html>'],
  ['comments and a doctype', ' <!-- a --> <!doctype html>\n<p>', ' <!-- a --> <!doctype html>'],
  ['no doctype', '<p>text</p>', ''],
  ['a script ahead of a doctype', '<script>1</script><!doctype html>', ''],
  ['a comment that ends at once', '<!--><script>1</script>--><!doctype html>', ''],
])('puts the guard before the first script of a document with %s', (_, html, head) => {
  const guarded = guardDocument(html);
  expect(guarded.startsWith(`${head}<script>for (const name`)).toBe(true);
  expect(guarded.endsWith(html.slice(head.length))).toBe(true);
});
