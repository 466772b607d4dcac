// @ts-check
/** `npm run stack < FILE`: a stack of the packaged extension, by the maps of `npm run build -- --minify --maps`. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repository } from './paths.mjs';

const place = /[^\s(]*\b(dist[\\/](?:\w+[\\/])?[\w-]+\.js):(\d+):(\d+)/g;

console.log(
  (await text(process.stdin)).trimEnd().replace(place, (all, file, row, column) => {
    const path = join(repository, `${file.replaceAll('\\', '/')}.map`);
    if (!existsSync(path)) {
      return all;
    }
    const map = new SourceMap(JSON.parse(readFileSync(path, 'utf8')));
    /** @type {Partial<import('node:module').SourceOrigin>} */
    const { fileName, lineNumber, columnNumber } = map.findOrigin(Number(row), Number(column));
    const source = fileName?.replace(/^(?:\.\.\/)+/, '');
    return source ? `${source}:${lineNumber}:${columnNumber}` : all;
  }),
);
