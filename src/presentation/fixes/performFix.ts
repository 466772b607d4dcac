/** Does the one thing that helps a server which does not work. */
import { asObject, type JsonObject } from '../../base/json.js';
import type { McpServerChange } from '../../config/configuration.js';
import { newInput } from '../../config/fixes/quickFixes.js';
import type { InputStore } from '../../config/inputs/inputStore.js';
import { inputId as nameInput } from '../../config/lint/literalSecrets.js';
import { type CommandId, commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { Fix, FixKind } from '../../mcp/trouble/fix.js';
import { stateText } from '../../mcp/trouble/stateText.js';

/** What only a window can do. */
export interface FixWindow {
  /** One of our commands, about the server. */
  readonly run: (command: CommandId, ...args: readonly string[]) => Promise<void>;
  /** Shows its command in a terminal, ready to run. */
  readonly openTerminal: (server: McpServer) => void;
  readonly openUrl: (url: string) => Promise<void>;
  readonly openFolder: () => Promise<void>;
  /** `undefined`: the user changed their mind. */
  readonly askUrl: (proposed: string) => Promise<string | undefined>;
  /** Of a variable; nobody looks over the shoulder. */
  readonly askValue: (name: string) => Promise<string | undefined>;
}

export interface FixParts {
  readonly service: Pick<McpService, 'configuration'>;
  readonly inputs: Pick<InputStore, 'set'>;
  readonly window: FixWindow;
}

/** Fixes that one of our commands does. */
const commands: Readonly<{ readonly [Kind in FixKind]?: CommandId }> = {
  copyReport: commandIds.doctor,
  openLine: commandIds.openConfiguration,
  restart: commandIds.restartServer,
  review: commandIds.reviewServers,
  showLog: commandIds.showLog,
  signIn: commandIds.signIn,
  start: commandIds.startServer,
  stop: commandIds.stopServer,
  tryAgain: commandIds.restartServer,
  trustWorkspace: commandIds.manageWorkspaceTrust,
};

const certificateHelp = 'https://nodejs.org/api/cli.html#node_extra_ca_certsfile';

/** Where what brings a command is found. */
const installerPages: Readonly<Record<string, string>> = {
  bun: 'https://bun.sh/docs/installation',
  bunx: 'https://bun.sh/docs/installation',
  deno: 'https://docs.deno.com/runtime/getting_started/installation/',
  docker: 'https://docs.docker.com/get-started/get-docker/',
  nerdctl: 'https://github.com/containerd/nerdctl#install',
  node: 'https://nodejs.org/en/download',
  npm: 'https://nodejs.org/en/download',
  npx: 'https://nodejs.org/en/download',
  podman: 'https://podman.io/docs/installation',
  python: 'https://www.python.org/downloads/',
  python3: 'https://www.python.org/downloads/',
  uv: 'https://docs.astral.sh/uv/getting-started/installation/',
  uvx: 'https://docs.astral.sh/uv/getting-started/installation/',
};

/** Times of waiting. */
const patience = 3;

/** Does what the state of the server asks for; nothing where it asks for nothing. */
export async function performFix(server: McpServer, parts: FixParts): Promise<void> {
  const { fix } = stateText(server.state.value);
  if (!fix) {
    return;
  }
  const command = commands[fix.kind];
  if (command === undefined) {
    await act(server, fix, parts);
  } else {
    await parts.window.run(command, server.id);
  }
}

async function act(server: McpServer, fix: Fix, parts: FixParts): Promise<void> {
  const { window } = parts;
  switch (fix.kind) {
    case 'enable':
      await enable(server, parts);
      break;
    case 'install':
      await window.openUrl(installerPages[fix.target ?? ''] ?? '');
      break;
    case 'openFolder':
      await window.openFolder();
      break;
    case 'runInTerminal':
      window.openTerminal(server);
      break;
    case 'setToken':
      await setToken(server, parts);
      break;
    case 'setValue':
      await setValue(server, fix.target ?? '', parts);
      break;
    case 'editCommand':
    case 'editUrl':
    case 'openSettings':
      await window.run(commandIds.openServer, server.id, 'settings', fix.target ?? '');
      break;
    case 'showTraffic':
      await window.run(commandIds.openServer, server.id, 'traffic');
      break;
    case 'showHow':
      await window.openUrl(certificateHelp);
      break;
    case 'usePath':
      await change(server, { entry: { command: fix.target ?? '' } }, parts);
      break;
    case 'useUrl': {
      const url = await window.askUrl(fix.target ?? '');
      if (url !== undefined) {
        await change(server, { entry: { url } }, parts);
      }
      break;
    }
    case 'waitLonger': {
      const { startupTimeoutMs } = server.definition.options;
      await change(server, { entry: { startupTimeoutMs: startupTimeoutMs * patience } }, parts);
      break;
    }
  }
}

/** Where it was disabled. */
async function enable(server: McpServer, { service, window }: FixParts): Promise<void> {
  const { id, definition, state } = server;
  if (state.value.kind !== 'disabled') {
    return;
  }
  switch (state.value.by) {
    case 'server':
      await window.run(commandIds.enableServer, id);
      break;
    case 'folder':
      await window.run(commandIds.chooseFolders, id);
      break;
    case 'master':
      await service.configuration.setMasterDisabled(definition.poolId, false);
      break;
  }
}

/** Whoever changed the entry sees it start: what was trusted before may ask again. */
async function change(
  { id }: McpServer,
  changed: McpServerChange,
  { service, window }: FixParts,
): Promise<void> {
  await service.configuration.updateServer(id, changed);
  await window.run(commandIds.restartServer, id);
}

/** Asked once, and kept as an input that the entry refers to from then on. */
async function setValue(server: McpServer, name: string, parts: FixParts): Promise<void> {
  const { service, inputs, window } = parts;
  const { id, definition } = server;
  const input = `\${input:${name}}`;
  if (JSON.stringify((await service.configuration.read(id)).entry).includes(input)) {
    // whoever starts it is asked
    await window.run(commandIds.restartServer, id);
    return;
  }
  const value = await window.askValue(name);
  if (value === undefined) {
    return;
  }
  await inputs.set({ poolId: definition.poolId, inputId: name }, value);
  // others may have changed it while the user was asked
  const { entry } = await service.configuration.read(id);
  const referring = referTo(entry, name, input);
  const isUsed = Object.keys(referring).length > 0;
  const env = asObject(entry.env);
  const changed = isUsed ? referring : { env: { ...env, [name]: input } };
  await change(server, { entry: changed, inputs: [newInput(name)] }, parts);
}

/** Kept as an input, where the entry has its token or else as its bearer token, in place of other ways to authenticate. */
async function setToken(server: McpServer, parts: FixParts): Promise<void> {
  const { service, inputs, window } = parts;
  const { id, definition } = server;
  const inputId = nameInput(definition.name, 'token');
  const value = await window.askValue(inputId);
  if (value === undefined) {
    return;
  }
  await inputs.set({ poolId: definition.poolId, inputId }, value);
  const { entry } = await service.configuration.read(id);
  const reference = `\${input:${inputId}}`;
  const headers = asObject(entry.headers);
  const header = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  const changed =
    header === undefined
      ? { bearerToken: reference, bearerTokenEnv: null, auth: null, oauth: null }
      : { headers: { ...headers, [header]: `Bearer ${reference}` } };
  await change(server, { entry: changed, inputs: [newInput(inputId)] }, parts);
}

/** The fields that name the variable, with the input in its place. */
function referTo(entry: JsonObject, name: string, input: string): JsonObject {
  const written = [`\${env:${name}}`, `\${${name}}`];
  const fields = Object.entries(entry).flatMap(([field, value]) => {
    const before = JSON.stringify(value);
    const after = written.reduce((text, variable) => text.replaceAll(variable, input), before);
    return after === before ? [] : [[field, JSON.parse(after)] as const];
  });
  return Object.fromEntries(fields);
}
