/** How a value is written elsewhere: in addresses, in JSON, in Base64, in hexadecimal digits. */
import { toWellFormed } from '../../base/text/wellFormed.js';

export function spellingsOf(secret: string): readonly string[] {
  const escaped = escapeForJson(secret);
  const wellFormed = toWellFormed(secret);
  const component = encodeURIComponent(wellFormed);
  const bytes = Buffer.from(wellFormed);
  const hex = bytes.toString('hex');
  return [
    secret,
    encodeURI(wellFormed),
    component,
    component.replace(/%../g, (code) => code.toLowerCase()),
    new URLSearchParams([['', wellFormed]]).toString().slice(1),
    asQuery(wellFormed),
    escaped,
    // what a server wrote as JSON into a text stands within the JSON of a message
    escapeForJson(escaped),
    hex,
    hex.toUpperCase(),
    ...base64Cores(bytes),
  ];
}

// fewer letters of Base64 turn up by chance
const minCoreLength = 6;

/** What is the same in Base64 wherever the bytes stand in a longer text; there are three ways to be aligned. */
function base64Cores(bytes: Buffer): readonly string[] {
  const cores = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // a letter holds six bits; one that shares its bits with other bytes differs
    const start = Math.ceil((before * 8) / 6);
    return encoded.slice(start, Math.floor(((before + bytes.length) * 8) / 6));
  });
  return cores
    .filter((core) => core.length >= minCoreLength)
    .flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** As the parser of addresses leaves a value that was written into a query as it is. */
function asQuery(text: string): string {
  return new URL(`http://localhost/?${text.replaceAll('#', '%23')}`).search.slice(1);
}

function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
