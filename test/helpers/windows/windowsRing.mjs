// @ts-check
const links = 'needs links, which a disk of Linux refuses to Wine';
const modes = 'a file has no mode there; what keeps others out is the folder of the user';
const unix = 'runs a program of Unix';
const processes = 'other programs are seen there by the tools that VS Code lists';
const npm = 'the Node of that package comes without npm';
const signals = 'there are no signals';
const starts = 'Wine takes longer for twenty starts than the test waits';

/**
 * What of the ring `integration` runs on Windows: file → title of a test that cannot run there → why. The command line,
 * the agent, packaging and what is Unix by its subject are not in it.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const windowsRing = {
  apps: {},
  bundles: {},
  callLog: {},
  clientFeatures: {},
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
  connectionServers: {
    'works through sh and leaves nothing behind': unix,
    'works through npx and leaves nothing behind': npm,
  },
  definitions: {
    'reports what changed, calls nothing that is kept back, and accepts what it shows': unix,
  },
  doubleStarts: {
    'sees the copy of another client, and when it is gone': processes,
    'sees the same file behind a link, as npx leaves it': processes,
    'sees it while ours does not run': processes,
    'ends the copies that were named, and nothing that is another process by now or ours':
      processes,
    'ends with a copy what it has started': processes,
    'remembers for this entry that both shall run, until it starts something else': processes,
  },
  extensionApi: {},
  'faults/accountFaults': {},
  'faults/httpFaults': {
    'TLS where none is asked for': unix,
    'by redirect from https to http is refused': unix,
    'is refused, unless the entry accepts it': unix,
  },
  'faults/sessionFaults': {},
  'faults/slotFaults': {},
  'faults/stateFaults': {
    'by itself that the process exits': signals,
    'by itself that the process closes stdout': signals,
    'by itself that the process closes stdin': signals,
    'by itself that the process is killed by SIGSEGV': signals,
  },
  'faults/streamFaults': {
    'fails its own request, keeps the connection and does not stall the event loop':
      'counts turns by what a pipe of Unix holds',
  },
  'faults/tokenFaults': {},
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
  modelTools: {},
  modernWire: {},
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
  service: {
    'is an error with its signal at once, and is started again by the next call': signals,
  },
  stagedSwitches: { 'takes back what was written when a later file cannot be': modes },
  statistics: {},
  storedData: {},
  stores: {
    'lose nothing when writers are killed in the middle': signals,
    'are one place although their folder is reached through a link': links,
  },
  tasks: {},
  toolOverrides: {},
  traffic: {},
  trust: {},
  updates: { 'is the one that the user has configured, by their own npm': npm },
};

const leftOut = Object.values(windowsRing).flatMap((titles) => Object.keys(titles));
// a pattern sees groups parted from their tests, which a report does not
const escaped = leftOut.map((title) =>
  title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '(?: > | )'),
);

/** For the configuration of vitest there. */
export const windowsPart = {
  include: Object.keys(windowsRing).map((name) => `test/integration/${name}.test.ts`),
  testNamePattern: new RegExp(`^(?!.*(?:${escaped.join('|')}))`),
};
