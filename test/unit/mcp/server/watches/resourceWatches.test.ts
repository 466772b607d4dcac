import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../../src/base/event.js';
import type { McpSession } from '../../../../../src/mcp/connection/session/engine.js';
import { ResourceWatches } from '../../../../../src/mcp/server/watches/resourceWatches.js';
import { nullLogger } from '../../../../../src/platform/ports.js';

class FakeSession {
  readonly updates = new Emitter<string>();
  readonly sent: string[] = [];
  readonly onDidUpdateResource = this.updates.event;

  async watchResource(uri: string, isWatched: boolean): Promise<void> {
    this.sent.push(`${isWatched ? '+' : '-'}${uri}`);
    if (isWatched && uri === 'a:refused') {
      throw new Error('refused');
    }
  }

  get asSession(): McpSession {
    return this as unknown as McpSession;
  }
}

function create() {
  const seen: string[] = [];
  const watches = new ResourceWatches({ timeoutMs: () => 1_000, logger: () => nullLogger });
  const watch = (uri: string) => watches.watch(uri, () => seen.push(uri));
  return { watches, seen, watch, session: new FakeSession() };
}

describe('ResourceWatches', () => {
  it('subscribes once for all who watch, and ends it with the last of them', () => {
    const { watches, seen, watch, session } = create();
    watches.attach(session.asSession);
    const first = watch('a:1');
    const second = watch('a:1');
    session.updates.fire('a:1');
    session.updates.fire('a:2');
    first.dispose();
    first.dispose();
    session.updates.fire('a:1');
    second.dispose();
    session.updates.fire('a:1');
    expect(seen).toEqual(['a:1', 'a:1', 'a:1']);
    expect(session.sent).toEqual(['+a:1', '-a:1']);
  });

  it('subscribes when a connection comes, and tells of it when another one follows', () => {
    const { watches, seen, watch, session } = create();
    watch('a:1');
    watches.attach(session.asSession);
    expect(seen).toEqual([]);
    watches.attach(undefined);
    const next = new FakeSession();
    watches.attach(next.asSession);
    watches.attach(next.asSession);
    expect(seen).toEqual(['a:1']);
    session.updates.fire('a:1');
    expect(seen).toEqual(['a:1']);
    expect(next.sent).toEqual(['+a:1']);
  });

  it('subscribes anew for who comes after the last one has gone, and not where nobody does', () => {
    const { watches, watch, session } = create();
    watches.attach(session.asSession);
    watch('a:1').dispose();
    watch('a:2').dispose();
    watch('a:1');
    expect(session.sent).toEqual(['+a:1', '-a:1', '+a:2', '-a:2', '+a:1']);
    const next = new FakeSession();
    watches.attach(next.asSession);
    expect(next.sent).toEqual(['+a:1']);
  });

  it('goes on without a subscription that the server refuses', async () => {
    const { watches, watch, session } = create();
    watches.attach(session.asSession);
    watch('a:refused');
    await Promise.resolve();
    expect(session.sent).toEqual(['+a:refused']);
  });
});
