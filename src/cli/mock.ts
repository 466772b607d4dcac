import { resolve } from 'node:path';
import { version } from '../../package.json';
import { errorMessage } from '../base/errors.js';
import { oneLine } from '../base/text/plainText.js';
import { maskText } from '../config/secrets/secretMask.js';
import { MockEndpoint } from '../gateway/mock/mockEndpoint.js';
import { MockServer, serveMock } from '../gateway/mock/mockServer.js';
import { importRecording, maxRecordingBytes } from '../mcp/traffic/recordingFile.js';
import type { CliFlags, MockCommand } from './arguments.js';
import type { CliIo } from './cliTypes.js';
import { readNamedFile } from './inputs.js';

/** Serves until the standard input ends or the run is interrupted. Reads the recording, and nothing else. */
export async function runMock(
  { path, port, isDelayed }: MockCommand,
  { json }: Pick<CliFlags, 'json'>,
  io: CliIo,
): Promise<void> {
  const recording = importRecording(await readNamedFile(resolve(io.cwd, path), maxRecordingBytes));
  const endpoint = new MockEndpoint(recording, isDelayed);
  const onError = (error: unknown) => io.writeError(`${oneLine(maskText(errorMessage(error)))}\n`);
  const options = { endpoint, version, onError };
  if (port === undefined) {
    await serveMock(options, io.stdio(), io.signal);
    return;
  }
  const server = await MockServer.start({ ...options, port });
  try {
    const { url, token } = server;
    const shown = { url, token, pid: process.pid };
    io.writeOut(json ? `${JSON.stringify(shown)}\n` : textOf(server));
    await io.whenInputEnds(io.signal);
  } finally {
    await server.stop();
  }
}

function textOf({ url, token }: MockServer): string {
  return [
    `Address: ${url}`,
    `Token of clients: ${token}`,
    'It serves until you press Ctrl+C.',
    '',
  ].join('\n');
}
