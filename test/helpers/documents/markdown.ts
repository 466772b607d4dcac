/** The documents of the repository, and what stands in them. */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const documents: readonly string[] = [
  ...globSync('*.md'),
  ...globSync('docs/**/*.md'),
  ...globSync('test/**/*.md'),
].sort();

/** Those that people read before they read code. */
export const pages: readonly string[] = documents.filter((path) => !path.startsWith('test/'));

/** Targets of links and pictures within the repository: the file, and the heading in it. */
export function linksOf(document: string, text: string) {
  return [...withoutCode(text).matchAll(/\]\((?!\w+:)([^)\s]*)\)/g)].map(([, target = '']) => {
    const [path = '', anchor] = target.split('#');
    return { target, path: path === '' ? document : join(dirname(document), path), anchor };
  });
}

/** What links may name in a text: its headings as GitHub makes anchors of them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const found = new Map<string, number>();
  const headings = text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) => {
      const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '');
      const anchor = words.replaceAll(' ', '-');
      const before = found.get(anchor) ?? 0;
      found.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}
