import { expect, it } from 'vitest';
import { suggestServerName } from '../../../../src/config/paste/serverName.js';

it.each([
  ['files', 'npx -y @scope/server-files@1.2.3'],
  ['fetch', 'uvx mcp-server-fetch'],
  ['fetch', 'uv tool run --from mcp-server-fetch==1.0 fetch'],
  ['notes', 'uvx --from git+https://github.com/org/mcp-notes.git@v1 notes-bin'],
  ['db', 'pnpm dlx db-mcp@latest'],
  ['x', 'npx -p @a/x other'],
  ['script', 'npm run script'],
  ['github', 'docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:v1'],
  ['github', 'podman run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:v1'],
  ['time', '/usr/bin/nerdctl run -i --rm mcp/time'],
  ['time', 'C:\\bin\\Docker.exe run -i mcp/time'],
  ['redis', 'docker run -v /data:/data redis@sha256:0123'],
  ['docker', 'docker'],
  ['mcp', 'docker mcp gateway run'],
  ['files', 'sh -c', 'cd /x && npx -y @scope/server-files'],
  ['my', 'node /srv/my-server.js'],
  ['weather', '/opt/weather'],
  ['npx', 'npx'],
  ['server', 'npx mcp-server'],
  ['acme', 'npx -y @acme/mcp'],
  ['acme', 'uvx git+https://github.com/acme/mcp-server.git'],
  ['context7', 'npx @upstash/context7-mcp'],
  ['time', 'docker container run -i mcp/time:1'],
])('names %s what is started by %s', (name, line, ...rest) => {
  const [command, ...args] = [...line.split(' '), ...rest];
  expect(suggestServerName({ command, args })).toBe(name);
});
