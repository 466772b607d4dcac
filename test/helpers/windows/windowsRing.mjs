// @ts-check
const links = 'needs links, which a disk of Linux refuses to Wine';
const modes = 'a file has no mode there; what keeps others out is the folder of the user';
const unix = 'runs a program of Unix';
const starts = 'Wine takes longer for twenty starts than the test waits';

/**
 * What of the ring `integration` runs on Windows: file → title of a test that cannot run there → why. The command line,
 * the agent, packaging and what is Unix by its subject are not in it.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const windowsRing = {
  configDiscovery: {
    'sees files in directories that do not exist yet':
      'Wine keeps the name of a watched folder that was deleted',
    'sees an edit of the file that a symbolic link points to': links,
  },
  configEditor: { 'adds to files that do not exist yet, and the pools show it at once': modes },
  configPage: {},
  configWriter: {
    'makes a private file and its folders for their owner alone': modes,
    'keeps the mode of a file, private or not': modes,
    'writes through symbolic links, also one whose file is missing': links,
    'loses nothing among fifty writers in five processes':
      'Wine takes longer for fifty writes than a writer waits',
  },
  definitions: {
    'reports what changed, calls nothing that is kept back, and accepts what it shows': unix,
  },
  fileLock: {
    'but ends with its holder and with the session of the machine':
      'Wine does not count its starts',
  },
  fixes: {
    'the fix of a file that may not be run': 'there is no right to run a file',
    'the fix of a connection that was lost':
      'ends a process by its pid, which is one of Linux there',
    'the fix of a certificate that is not trusted': unix,
    'the fix of a command that the login shell finds': 'there is no login shell',
  },
  folderSwitches: {},
  gateway: { 'is answered, and has neither token nor address in its text': unix },
  gatewayAnswers: {},
  gatewayBounds: {},
  gatewayClients: {},
  gatewayLogs: {},
  gatewayRecords: {},
  gatewayRest: {},
  handOvers: {},
  httpEngine: {},
  oauth: {},
  oauthClients: {},
  oauthDiscovery: {},
  oauthHardening: {},
  oauthRefusal: {},
  oauthStepUp: {},
  registry: {},
  roots: {
    'sees the same in every run': starts,
    'sees the folders that the user names in a file of their own': starts,
    'says in the log which folder a server is not told of, and why': links,
  },
  serverAdvice: {},
  serverInstaller: {},
  stagedSwitches: { 'takes back what was written when a later file cannot be': modes },
  statistics: {},
  stores: {
    'lose nothing when writers are killed in the middle': 'there are no signals',
    'are one place although their folder is reached through a link': links,
  },
  tasks: {},
  traffic: {},
};

const leftOut = Object.values(windowsRing).flatMap((titles) => Object.keys(titles));
const escaped = leftOut.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

/** For the configuration of vitest there. */
export const windowsPart = {
  include: Object.keys(windowsRing).map((name) => `test/integration/${name}.test.ts`),
  testNamePattern: new RegExp(`^(?!.*(?:${escaped.join('|')}))`),
};
