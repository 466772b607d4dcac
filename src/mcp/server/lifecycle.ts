import type { McpServerDefinition } from '../../config/definition.js';

/** 0 = never. */
export function idleMs(definition: McpServerDefinition): number {
  return isKeptAlive(definition) ? 0 : definition.options.idleTimeout * 60_000;
}

/** Whether a server runs before anybody uses it. */
export function startsAtOnce({ options: { lifecycle } }: McpServerDefinition): boolean {
  return lifecycle === 'eager' || lifecycle === 'keep-alive';
}

export function isKeptAlive({ options: { lifecycle } }: McpServerDefinition): boolean {
  return lifecycle === 'keep-alive' || lifecycle === 'lazy-keep-alive';
}

/** Whether a server whose connection ended by itself is connected again before anybody uses it. */
export function comesBack({ options }: McpServerDefinition, hasConnected: boolean): boolean {
  const { lifecycle } = options;
  return lifecycle === 'keep-alive' || (lifecycle !== 'lazy' && hasConnected);
}

/** VS Code gives all extensions together five seconds to end, SIGTERM and SIGKILL included. */
const lastGraceMs = 2000;

/** Milliseconds that a server may still take to end, as its tasks are cancelled first. @param disposedAt undefined: no end is near */
export function graceLeftMs(disposedAt: number | undefined, now: number): number {
  return disposedAt === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(0, disposedAt + lastGraceMs - now);
}
