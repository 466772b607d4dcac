import { describe, expect, it } from 'vitest';
import {
  folderConfigFiles,
  globalConfigFiles,
} from '../../../../src/config/parse/configLocations.js';

function userFiles(variables: Readonly<Record<string, string>>, setting?: string): string[] {
  const environment = { homeDir: '/h', getVariable: (name: string) => variables[name] };
  return globalConfigFiles(environment, setting).map(
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
      folderConfigFiles({ uri: 'u', name: 'w', fsPath }).map(({ path }) => path);
    expect(paths('/w')).toEqual(['/w/.mcp.json', '/w/.pi/mcp.json', '/w/.pilot/mcp.json']);
    expect(paths(undefined)).toEqual([]);
  });
});
