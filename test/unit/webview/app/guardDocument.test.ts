import { expect, it } from 'vitest';
import { guardDocument } from '../../../../src/webview/app/guardDocument.js';
import { guardScript } from '../../../../src/webview/app/guardScript.js';

it.each([
  ['a doctype', '<!DOCTYPE html><html>', '<!DOCTYPE html>'],
  ['comments and a doctype', ' <!-- a --> <!doctype html>\n<p>', ' <!-- a --> <!doctype html>'],
  ['no doctype', '<p>text</p>', ''],
  ['a script ahead of a doctype', '<script>1</script><!doctype html>', ''],
  ['a comment that ends at once', '<!--><script>1</script>--><!doctype html>', ''],
  ['a comment that ends after a dash', '<!---><script>1</script>--><!doctype html>', ''],
  ['a comment that ends with a bang', '<!-- a --!><script>1</script><!-- --><!doctype html>', ''],
  ['a bang in the next comment', '<!-- a --><!----!><script>1</script>--><!doctype html>', ''],
  ['a bang at once', '<!----!><script>1</script>--><!doctype html>', ''],
  ['a comment without an end', '<!-- <script>1</script><!doctype html>', ''],
  ['a doctype without an end', '<!doctype html', ''],
  ['a blank of another alphabet', '\u00a0<!doctype html>', ''],
  ['a doctype with a bracket in it', '<!doctype html "a>b">', '<!doctype html "a>'],
])('puts the guard before the first script of a document with %s', (_, html, head) => {
  const guarded = guardDocument(html);
  expect(guarded.startsWith(`${head}<script>${guardScript}</script>`)).toBe(true);
  expect(guarded.endsWith(html.slice(head.length))).toBe(true);
});

it('leaves no frame a document of its own, however it is spelt', () => {
  const html = `<iframe srcdoc="a"><IFRAME SrcDoc=b><script>frame.srcdoc = 'c'</script>`;
  const rest = guardDocument(html).slice(guardDocument('').length);
  expect(rest).toBe(`<iframe srcd0c="a"><IFRAME srcd0c=b><script>frame.srcd0c = 'c'</script>`);
});

it('needs a time that grows with the document', () => {
  for (const html of ['<!--'.repeat(200_000), '<!---->'.repeat(200_000), ' '.repeat(1_000_000)]) {
    expect(guardDocument(html).endsWith(html)).toBe(true);
  }
});
