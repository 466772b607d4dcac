#!/usr/bin/env node
/**
 * An MCP server without dependencies, so that a benchmark measures the client. `--tools=N`, `--output-schemas`,
 * `--startup-ms=N`, `--hang`; `--http` serves Streamable HTTP and prints its address instead of speaking over stdio,
 * and answers with event streams when there is also `--event-stream`.
 */
import { createServer } from 'node:http';

const flags = new Map(process.argv.slice(2).map((arg) => arg.replace(/^--/, '').split('=')));
const number = (name, fallback) => Number(flags.get(name) ?? fallback);

const line = 'A line of a long result, as programs write them.\n';

const schema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What is sent back, word for word, to whoever asks.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    filter: { type: 'array', items: { type: 'string', enum: ['open', 'closed', 'all'] } },
  },
  required: ['message'],
};
const tools = Array.from({ length: number('tools', 1) }, (_, index) => ({
  name: index === 0 ? 'echo' : `tool_${index}`,
  description: `Tool number ${index}: looks things up in a place of its own and sends back what it finds.`,
  inputSchema: schema,
  ...(flags.has('output-schemas') && index > 0
    ? {
        outputSchema: {
          type: 'object',
          properties: {
            [`field_${index}`]: { type: 'string', pattern: '^[a-z]+$' },
            total: { type: 'number', minimum: 0 },
            items: { type: 'array', items: schema },
          },
          required: ['total'],
        },
      }
    : {}),
}));

function answer({ id, method, params }) {
  switch (method) {
    case 'initialize':
      return {
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'bench', version: '1.0.0' },
        },
      };
    case 'tools/list':
      return { id, result: { tools } };
    case 'tools/call':
      return { id, result: { content: [{ type: 'text', text: textOf(params.arguments) }] } };
    case 'ping':
      return { id, result: {} };
    default:
      return id === undefined
        ? undefined
        : { id, error: { code: -32601, message: 'Method not found' } };
  }
}

/** What was sent, or as much of it as is asked for. */
function textOf({ message, bytes }) {
  return bytes === undefined
    ? message
    : line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

function serveStdio() {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    const out = lines
      .map((line) => answer(JSON.parse(line)))
      .filter((reply) => reply !== undefined)
      .map((reply) => `${JSON.stringify({ jsonrpc: '2.0', ...reply })}\n`);
    process.stdout.write(out.join(''));
  });
}

function serveHttp() {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const reply = answer(JSON.parse(body));
      if (!reply) {
        response.writeHead(202).end();
        return;
      }
      const text = JSON.stringify({ jsonrpc: '2.0', ...reply });
      const isStream = flags.has('event-stream');
      response.writeHead(200, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
        'mcp-session-id': 'bench',
      });
      response.end(isStream ? `event: message\ndata: ${text}\n\n` : text);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
  });
  process.stdin.resume().on('end', () => process.exit());
}

if (flags.has('hang')) {
  process.stdin.resume();
} else if (flags.has('http')) {
  serveHttp();
} else {
  setTimeout(serveStdio, number('startup-ms', 0));
}
