/** Launches as registries and READMEs of servers have them. */

/** `»` stands before what runs: from there on, options are those of the server. */
const marked: readonly string[] = [
  'npx -y »@modelcontextprotocol/server-filesystem /data',
  'npx -y »@modelcontextprotocol/server-github',
  'npx -y »@modelcontextprotocol/server-postgres@0.6.2 postgresql://localhost/dev',
  'npx »@playwright/mcp@latest --browser chrome --headless',
  'npx -y »chrome-devtools-mcp@0.10.2 --isolated',
  'npx -y »@upstash/context7-mcp@1.0.0 --api-key ${input:key}',
  'npx -y »mcp-remote https://mcp.linear.app/sse',
  'npx -y »mcp-remote@0.1.18 https://mcp.example.com/mcp?a=1&b=2 --header Authorization:${TOKEN}',
  'npx --yes --package=@storybook/mcp »storybook-mcp --port 6006',
  'npx -y -p @sap-ux/fiori-mcp-server »fiori-mcp',
  'npx -y »exa-mcp-server --tools=web_search,research',
  'npx -y »figma-developer-mcp --stdio',
  'npx -y »firecrawl-mcp',
  'bunx -y »@sveltejs/mcp',
  'bun x »my-mcp',
  'pnpm dlx »@example/mcp@^1.2.0',
  'yarn dlx »@example/mcp@1.x',
  'npm exec --yes »@example/mcp@1.0.0 -- --stdio',
  'npm exec -y --package=@example/mcp -- »example-mcp --stdio',
  'uvx »mcp-server-git --repository path/to/repository',
  'uvx »mcp-server-fetch@2025.4.7',
  'uvx »markitdown-mcp==0.0.1a4',
  'uvx »awslabs.aws-documentation-mcp-server@latest',
  'uvx --from example-suite==2.0.1 »suite-server',
  'uvx --python 3.12 --with pandas »data-mcp[extra]==1.0',
  'uv run --directory /srv/weather »server.py',
  'uv --directory /srv/weather run »weather.py',
  'uv run --with mcp[cli] »mcp run server.py',
  'uv tool run »mcp-server-time --local-timezone=Europe/Berlin',
  'pipx run »notes-mcp==1.0.0',
  'docker run -i --rm »ghcr.io/github/github-mcp-server',
  'docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN »ghcr.io/github/github-mcp-server:1.0.0 stdio',
  'docker run --rm -i -e GRAFANA_URL=http://localhost:3000 »grafana/mcp-grafana@sha256:0123abcd -t stdio',
  'docker run -i --rm --init »hashicorp/terraform-mcp-server:0.2.3',
  'docker run -i --rm --mount type=bind,src=/home/me/projects,dst=/projects »mcp/filesystem /projects',
  'docker run -i --rm -v cache:/cache »mcp/filesystem:1.0 /cache',
  'docker run -i --rm »mcp/git:latest',
  'docker mcp gateway run',
  'podman run -i --rm »registry.example:5000/team/server@sha256:abc',
  'dnx »Example.Server@1.0.0-beta --yes -- mcp start',
  'node »dist/mcp/index.js',
  'node --no-warnings »/srv/server/build/index.js --stdio',
  'deno run -A »npm:@example/tools-mcp@1.0.0',
  'deno run -N -R=node_modules -W=node_modules --node-modules-dir=auto »jsr:@pydantic/mcp-run-python stdio',
  'bun run »src/index.ts',
  'python -m »mcp_server_git --repository .',
  'python3.12 -u »/srv/server/main.py',
  './.venv/bin/python »server.py',
  'java -jar »build/libs/mcp.jar --spring.ai.mcp.server.stdio=true',
  'dotnet »out/Server.dll',
  'php »bin/server.php',
  'go run »github.com/example/mcp-server@v1.0.0 --stdio',
  'cmd /c npx -y »@modelcontextprotocol/server-memory',
  './bin/mcp-server --stdio',
  'github-mcp-server stdio',
  'C:\\Tools\\sql-mcp.exe --readonly',
];

interface PlainLaunch {
  readonly words: readonly string[];
  /** Where the options of the runner end; 0: there is none. */
  readonly target: number;
}

export const plainLaunches: readonly PlainLaunch[] = marked.map((line) => {
  const words = line.split(' ');
  const target = Math.max(
    0,
    words.findIndex((word) => word.startsWith('»')),
  );
  return { words: words.map((word) => word.replace('»', '')), target };
});
