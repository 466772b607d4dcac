import { expect, it } from 'vitest';
import { describeSession, type SessionSources } from '../../../src/platform/bootSession.js';

function sources(platform: NodeJS.Platform, run: SessionSources['run']): SessionSources {
  const missing = (path: string): never => {
    throw new Error(`no ${path}`);
  };
  return {
    platform,
    hostname: () => 'DESK',
    readTextFileSync: missing,
    readlinkSync: missing,
    run,
  };
}

const starts = (count: number) =>
  `\r\nHKEY_LOCAL_MACHINE\\…\r\n    BootId    REG_DWORD    ${count}\r\n`;

it('is another one on Windows once the machine was started again', () => {
  const first = describeSession(sources('win32', () => starts(7)));
  expect(first).toBe(describeSession(sources('win32', () => starts(7))));
  expect(first).not.toBe(describeSession(sources('win32', () => starts(8))));
});

it('is asked of the registry by its own program, not by one that the PATH has', () => {
  const asked: string[] = [];
  describeSession(sources('win32', (program, args) => String(asked.push(program, ...args))));
  expect(asked[0]).toMatch(/^C:\\Windows\\System32\\reg\.exe$/);
  expect(asked).toContain('BootId');
});

it.each(['win32', 'darwin', 'linux'] as const)(
  'is not made up on %s where nothing says it',
  (platform) => {
    const fail = () => {
      throw new Error('no such key');
    };
    expect(describeSession(sources(platform, fail))).toBeUndefined();
  },
);
