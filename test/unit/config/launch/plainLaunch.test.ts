/** Which launches run what they seem to run: those that people publish, and those that say it in another spelling. */
import { describe, expect, it } from 'vitest';
import { oddWords } from '../../../../src/config/launch/plainLaunch.js';
import { plainLaunches } from '../../../helpers/launches/plainLaunches.js';
import { families } from '../../../helpers/launches/plainLaunchTables.js';
import { SeededRandom } from '../../../helpers/seededRandom.js';

const launchOf = ([command = '', ...args]: readonly string[], env = {}) => ({ command, args, env });
const inserted = (words: readonly string[], at: number, word: string) => [
  ...words.slice(0, at),
  word,
  ...words.slice(at),
];

describe('a launch as people publish it', () => {
  it.each(plainLaunches)('$words is plain', ({ words }) => {
    expect(oddWords(launchOf(words))).toEqual([]);
  });
});

it.each([
  [
    ['docker', 'run', '-e', 'PATH=/x', 'a/b'],
    ['-e', 'PATH=/x'],
  ],
  [['docker', 'run', '--env=PATH=/x', 'a/b'], ['--env=PATH=/x']],
  [['docker', 'run', '--privileged', 'a/b'], ['--privileged']],
])('%j is named with what belongs to it', (words, odd) => {
  expect(oddWords(launchOf(words))).toEqual(odd);
});

describe.each(Object.entries(families))('what %s may be told to run besides', (_family, lines) => {
  it('is at least sixty spellings', () => {
    expect(new Set(lines.map(String)).size).toBeGreaterThanOrEqual(60);
  });

  it.each(lines.map((words) => [words]))('%j is not plain', (words) => {
    expect(oddWords(launchOf(words))).not.toEqual([]);
  });
});

describe('a word that the grammar does not know', () => {
  const options = ['--frobnicate', '-Z', '--frobnicate=x', '-Zx', '--eval', '-Q=x', '-'];
  const code = ['$(touch x)', 'a;b', 'a b', '`x`', 'a|b', "require('x')", 'a\u200bb'];

  it.each(plainLaunches)('keeps the caution wherever it stands in $words', ({ words, target }) => {
    for (const word of code) {
      for (let at = 0; at <= words.length; at++) {
        const changed = inserted(words, at, word);
        expect(oddWords(launchOf(changed)), JSON.stringify(changed)).not.toEqual([]);
      }
    }
    for (const option of options) {
      for (let at = 1; at <= target; at++) {
        const changed = inserted(words, at, option);
        expect(oddWords(launchOf(changed)), JSON.stringify(changed)).not.toEqual([]);
      }
    }
  });

  it('keeps it for random words', () => {
    const random = new SeededRandom(7);
    const letters = [...'abcxyzABC019-_=:;|&$(){}<>`\'"!%^ \\\u202e\u00a0'];
    const isOdd = /[;|()<>`'"\s\u202e]/;
    for (let count = 0; count < 5_000; count++) {
      const word = Array.from({ length: 1 + random.below(8) }, () => random.pick(letters)).join('');
      const { words } = random.pick(plainLaunches);
      const changed = inserted(words, 1 + random.below(words.length), word);
      if (isOdd.test(word.replace(/\$\{\w+\}/g, ''))) {
        expect(oddWords(launchOf(changed)), JSON.stringify(changed)).not.toEqual([]);
      }
    }
  });
});

describe('a variable that a runner obeys', () => {
  it.each([
    ...[
      'NODE_OPTIONS',
      'NODE_PATH',
      'NPM_CONFIG_REGISTRY',
      'npm_config_node_options',
      'LD_PRELOAD',
    ],
    ...[
      'LD_AUDIT',
      'DYLD_INSERT_LIBRARIES',
      'PYTHONPATH',
      'PYTHONSTARTUP',
      'PYTHONHOME',
      'PIP_INDEX_URL',
    ],
    ...[
      'UV_INDEX_URL',
      'UV_PYTHON',
      'UV_DEFAULT_INDEX',
      'BASH_ENV',
      'ENV',
      'PERL5OPT',
      'PERL5LIB',
      'RUBYOPT',
    ],
    ...[
      'RUBYLIB',
      'JAVA_TOOL_OPTIONS',
      '_JAVA_OPTIONS',
      'JDK_JAVA_OPTIONS',
      'CLASSPATH',
      'DOCKER_HOST',
    ],
    ...[
      'DOTNET_STARTUP_HOOKS',
      'CORECLR_PROFILER_PATH',
      'DENO_DIR',
      'BUN_INSTALL',
      'GIT_SSH_COMMAND',
    ],
    ...[
      'GIT_CONFIG_COUNT',
      'PATH',
      'Path',
      'HOME',
      'USERPROFILE',
      'SHELL',
      'COMSPEC',
      'IFS',
      'GOFLAGS',
    ],
    ...['GOPROXY', 'CONTAINER_HOST', 'XDG_CONFIG_HOME', 'NODE_TLS_REJECT_UNAUTHORIZED', 'ZDOTDIR'],
  ])('%s is named', (name) => {
    expect(oddWords(launchOf(['npx', '-y', 'a'], { [name]: 'x' }))).toEqual([name]);
    expect(oddWords(launchOf(['docker', 'run', '-e', `${name}=x`, 'a/b']))).not.toEqual([]);
  });

  it.each(
    [
      ...[
        'GITHUB_TOKEN',
        'API_KEY',
        'NODE_ENV',
        'PYTHONUNBUFFERED',
        'LOG_LEVEL',
        'DATABASE_URL',
        'PORT',
      ],
      ...['GITLAB_URL', 'PYTHONIOENCODING', 'HTTPS_PROXY', 'AWS_PROFILE', 'RUST_LOG_STYLE_OF_MINE'],
    ].filter((name) => !name.startsWith('RUST')),
  )('%s is of the server', (name) => {
    expect(oddWords(launchOf(['npx', '-y', 'a'], { [name]: 'x' }))).toEqual([]);
  });
});
