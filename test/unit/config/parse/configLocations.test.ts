import { describe, expect, it } from 'vitest';
import {
  folderConfigFiles,
  globalConfigFiles,
} from '../../../../src/config/parse/configLocations.js';

function machine(variables: Readonly<Record<string, string>>) {
  return { homeDir: '/h', getVariable: (name: string) => variables[name] };
}

function userFiles(variables: Readonly<Record<string, string>>, setting?: string): string[] {
  return globalConfigFiles(machine(variables), setting).map(
    ({ layer, path, isPrimary }) => `${layer}${isPrimary ? '*' : ''} ${path}`,
  );
}

describe('the files of a pool', () => {
  const cases: readonly (readonly [
    Readonly<Record<string, string>>,
    string | undefined,
    readonly string[],
  ])[] = [
    [
      {},
      undefined,
      [
        'shared /h/.config/mcp/mcp.json',
        'pi-settings /h/.pi/agent/settings.json',
        'user* /h/.pi/agent/mcp.json',
      ],
    ],
    [
      { FORGE_DATA_DIR: '/forge', PI_CODING_AGENT_DIR: '~/pi' },
      '',
      [
        'shared /h/.config/mcp/mcp.json',
        'forge /forge/mcp.json',
        'pi-settings /h/pi/settings.json',
        'user* /h/pi/mcp.json',
      ],
    ],
    [
      { PILOT_DIR: '~/pilot', FORGE_DATA_DIR: '/forge' },
      '/own.json',
      [
        'shared /h/.config/mcp/mcp.json',
        'forge /forge/mcp.json',
        'pilot /h/pilot/mcp.json',
        'pi-settings /h/.pi/agent/settings.json',
        'user* /own.json',
      ],
    ],
    [
      { FORGE_DATA_DIR: '/forge' },
      '/forge/mcp.json',
      [
        'shared /h/.config/mcp/mcp.json',
        'pi-settings /h/.pi/agent/settings.json',
        'user* /forge/mcp.json',
      ],
    ],
    [
      {},
      '~/own.json',
      [
        'shared /h/.config/mcp/mcp.json',
        'pi-settings /h/.pi/agent/settings.json',
        'user* /h/own.json',
      ],
    ],
  ];
  it.each(cases)('of the user with %j and the setting %j', (variables, setting, expected) => {
    expect(userFiles(variables, setting)).toEqual(expected);
  });

  it('of a folder', () => {
    const paths = (fsPath: string | undefined) =>
      folderConfigFiles({ fsPath }, machine({ PI_CODING_AGENT_DIR: '/p' })).map(({ path }) => path);
    expect(paths('/w/My app')).toEqual([
      '/w/My app/.mcp.json',
      '/w/My app/.pi/mcp.json',
      '/w/My app/.pilot/mcp.json',
      expect.stringMatching(/^\/p\/pi-mcp\/folders\/My-app-[0-9a-f]{16}\/mcp\.json$/),
    ]);
    expect(paths('/w/My-app').at(-1)).not.toBe(paths('/w/My app').at(-1));
    expect(paths(undefined)).toEqual([]);
  });
});
