#!/usr/bin/env node
/**
 * The least that a program between a client over HTTP and a server over stdio can do: it passes lines on, and knows
 * nothing of the protocol but which answer belongs to which request. `bareRelay.mjs COMMAND ARGS…` prints its address.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
let next = 0;
createInterface(child.stdout).on('line', (line) => {
  const answer = JSON.parse(line);
  const { id, response } = waiting.get(answer.id) ?? {};
  waiting.delete(answer.id);
  response?.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'bench' });
  response?.end(JSON.stringify({ ...answer, id }));
});

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
    const message = JSON.parse(body);
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const own = next++;
    waiting.set(own, { id: message.id, response });
    child.stdin.write(`${JSON.stringify({ ...message, id: own })}\n`);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
});
process.stdin.resume().on('end', () => {
  child.stdin.end();
  child.once('exit', () => process.exit());
});
