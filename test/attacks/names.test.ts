/** Names of servers that are more than names to JavaScript, to a path or to the eye. */
import { expect } from 'vitest';
import { globalPoolId, serverId } from '../../src/config/definition.js';
import { type Attack, attackGroup } from '../helpers/attacks/attackGroup.js';
import type { Bait, Scene } from '../helpers/attacks/scene.js';

const rightToLeft = String.fromCodePoint(0x202e);
const blank = String.fromCodePoint(0x3164);
const nul = String.fromCodePoint(0);

/** As text: a literal object would lose a key called `__proto__`. */
function named(name: string, { ran }: Bait): string {
  const good = JSON.stringify(ran.launch('agreed'));
  return `{"mcpServers": {${JSON.stringify(name)}: ${JSON.stringify(ran.launch('a'))}, "agreed": ${good}}}`;
}

/** The bad name takes nothing along: neither its neighbour, nor the user's servers, nor what they agreed to. */
function isAlone({ servers, service }: Scene): void {
  const agreed = servers.find(({ definition }) => definition.name === 'agreed');
  expect(['idle', 'connecting', 'connected']).toContain(agreed?.state.value.kind);
  expect(service.getServer(serverId(globalPoolId, 'mine'))).toBeDefined();
}

function attack(what: string, name: string): Attack {
  return {
    what,
    files: (bait) => ({ '.mcp.json': named(name, bait) }),
    trust: ['consent to servers'],
    mayRun: ['agreed'],
    proves: isAlone,
  };
}

attackGroup('names of servers', {
  control: {
    what: 'the server with the plain name runs once it is agreed to',
    files: (bait) => ({ '.mcp.json': named('plain', bait) }),
    trust: 'consent to servers',
    runs: ['agreed'],
  },
  attacks: [
    attack('__proto__', '__proto__'),
    attack('constructor', 'constructor'),
    attack('hasOwnProperty', 'hasOwnProperty'),
    attack('toString', 'toString'),
    attack('the empty name', ''),
    attack('blanks', '   '),
    attack('a letter that looks like a blank', blank),
    attack('ten thousand letters', 'a'.repeat(10_000)),
    attack('a path out of every folder', '../../../../etc/passwd'),
    attack('the separator of identities', 'global/mine'),
    attack('the agreed name, written from right to left', `${rightToLeft}deerga`),
    attack('the agreed name with a zero byte behind it', `agree${nul}d`),
    attack('the agreed name with a line break in front', '\nagreed'),
    attack('the agreed name with another case', 'AGREED'),
    attack('a surrogate pair', '\u{1F600}'),
    attack('a command of the shell', '$(touch /tmp/x); `id`'),
    attack('a format of a message', '{0} {1} %s %n'),
  ],
});
