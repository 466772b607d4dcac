import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConnectDeadline } from '../../../../src/mcp/connection/connectDeadline.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  [false, /raise "startupTimeoutMs"/],
  [true, /why its package does not arrive/],
])(
  'ends the attempt with a failure that says what to do; for a package: %s',
  (forInstall, remedy) => {
    const deadline = new ConnectDeadline(undefined);
    deadline.allow(1000);
    deadline.allow(30_000, forInstall);
    vi.advanceTimersByTime(29_999);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.reason).toMatchObject({
      code: 'initialize_timeout',
      message: 'The server did not finish starting within 30 s.',
      remedy: expect.stringMatching(remedy),
    });
    deadline.dispose();
  },
);
