import { describe, expect, it } from 'vitest';
import { tellingLine } from '../../../src/mcp/trouble/failureOutput.js';

const node = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/work/api/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2`;
const esm = `node:internal/modules/run_main:123
    triggerUncaughtException(
    ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /work/api/server.mjs
    at packageResolve (node:internal/modules/esm/resolve:858:9)`;
const python = `Traceback (most recent call last):
  File "/work/api/server.py", line 3, in <module>
    import fastmcp
ModuleNotFoundError: No module named 'fastmcp'`;
const npm = `npm error code E404
npm error 404 Not Found - GET https://npm.example/@acme%2fmcp - Not found
npm error 404  The requested resource could not be found.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log`;
const shell = `starting
sh: 1: mcp-server: not found`;
const log = `{"level":"info","msg":"reading settings"}
[error] DATABASE_URL is required
bye`;

describe('the telling line of what a server wrote', () => {
  it.each([
    ['Node', node, "Cannot find module '/work/api/server.js'"],
    ['modules', esm, "Cannot find package 'zod' imported from /work/api/server.mjs"],
    ['Python', python, "ModuleNotFoundError: No module named 'fastmcp'"],
    ['npm', npm, 'Not Found - GET https://npm.example/@acme%2fmcp - Not found'],
    ['a shell', shell, 'sh: 1: mcp-server: not found'],
    ['a log', log, '[error] DATABASE_URL is required'],
  ])('is found in the output of %s', (_name, output, expected) => {
    expect(tellingLine(output.split('\n'))).toBe(expected);
  });

  it('is none when nothing tells', () => {
    expect(tellingLine([])).toBeUndefined();
    expect(tellingLine(['listening on stdio', 'bye'])).toBeUndefined();
  });
});
