/** What the user switched for one conversation. It only ever takes tools away: what is off elsewhere stays off. */
import { asObject } from '../../../base/json.js';
import {
  isToolProfile,
  type ToolChange,
  type ToolProfileId,
} from '../../../protocol/tools/toolChoice.js';

/** Stands where the name of a server does, for Pi's own tools. */
export const builtInServer = '';

export interface ToolChoice {
  /** For what is named in neither list. */
  readonly profile: ToolProfileId;
  /** By name of the server: also for tools that it gets later. */
  readonly servers: ReadonlyMap<string, boolean>;
  /** By server, then tool: goes before the other two. */
  readonly tools: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

export const everyTool: ToolChoice = { profile: 'all', servers: new Map(), tools: new Map() };

/** @param isInProfile asked only where the profile decides */
export function isChosen(
  { profile, servers, tools }: ToolChoice,
  server: string,
  tool: string,
  isInProfile: () => boolean,
): boolean {
  return (
    tools.get(server)?.get(tool) ?? servers.get(server) ?? (profile === 'all' || isInProfile())
  );
}

/** Whether a tool that the server gets later is on, as long as it claims nothing. */
export function takesNew({ profile, servers }: ToolChoice, server: string): boolean {
  return servers.get(server) ?? profile === 'all';
}

export function isChanged({ servers, tools }: ToolChoice): boolean {
  return servers.size > 0 || tools.size > 0;
}

export function applyChange(choice: ToolChoice, change: ToolChange): ToolChoice {
  switch (change.kind) {
    case 'profile':
      return { ...everyTool, profile: change.profile };
    case 'reset':
      return everyTool;
    case 'switch': {
      const { server, tools, isOn } = change;
      if (tools === undefined) {
        return {
          ...choice,
          servers: new Map(choice.servers).set(server, isOn),
          tools: without(choice.tools, server),
        };
      }
      const ofServer = new Map(choice.tools.get(server));
      for (const tool of tools) {
        ofServer.set(tool, isOn);
      }
      return { ...choice, tools: new Map(choice.tools).set(server, ofServer) };
    }
  }
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  return new Map([...map].filter(([one]) => one !== key));
}

/** JSON for the file of the conversation. */
export function storeChoice({ profile, servers, tools }: ToolChoice): unknown {
  return {
    profile,
    servers: [...servers],
    tools: [...tools].flatMap(([server, own]) => [...own].map(([tool, on]) => [server, tool, on])),
  };
}

/** `undefined` for data that {@link storeChoice} did not write. */
export function readChoice(data: unknown): ToolChoice | undefined {
  const { profile, servers, tools } = asObject(data);
  const known = typeof profile === 'string' && isToolProfile(profile) ? profile : undefined;
  if (known === undefined || !Array.isArray(servers) || !Array.isArray(tools)) {
    return undefined;
  }
  const switches = [...servers, ...tools].flatMap((entry) => readSwitch(entry) ?? []);
  return switches.reduce(applyChange, { ...everyTool, profile: known });
}

/** Of `[server, isOn]` or `[server, tool, isOn]`. */
function readSwitch(entry: unknown): ToolChange | undefined {
  const [server, ...rest] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
  const isOn = rest.at(-1);
  if (typeof server !== 'string' || typeof isOn !== 'boolean' || rest.length > 2) {
    return undefined;
  }
  const [tool] = rest.slice(0, -1);
  return tool === undefined
    ? { kind: 'switch', server, isOn }
    : typeof tool === 'string'
      ? { kind: 'switch', server, tools: [tool], isOn }
      : undefined;
}
