import { expect, it } from 'vitest';
import type { ConfigRequests, ConfigViewState } from '../../../../src/protocol/configProtocol.js';
import { ConfigPage, savedStaged } from '../../../../src/webview/config/configPage.js';
import { SeededRandom } from '../../../helpers/seededRandom.js';

type Boxes = Readonly<Record<string, boolean>>;

function viewOf(boxes: Boxes): ConfigViewState {
  const servers = Object.entries(boxes).map(([id, enabled]) => ({ id, enabled }));
  return { pools: [{ servers }], isWorkspaceTrusted: true } as unknown as ConfigViewState;
}

class Scene {
  readonly asked: [keyof ConfigRequests, unknown][] = [];
  kept: ReadonlyMap<string, boolean> = new Map();
  failure: Error | undefined;
  readonly page: ConfigPage;

  constructor(
    readonly boxes: Record<string, boolean>,
    staged?: ReadonlyMap<string, boolean>,
  ) {
    const send = async (type: keyof ConfigRequests, params: unknown) => {
      this.asked.push([type, params]);
      if (this.failure) {
        throw this.failure;
      }
      return type === 'applySwitches'
        ? viewOf(this.boxes)
        : { summary: JSON.stringify(params), effects: {} };
    };
    this.page = new ConfigPage(
      send as ConstructorParameters<typeof ConfigPage>[0],
      () => {},
      staged,
      (kept) => {
        this.kept = kept;
      },
    );
    this.page.receive(viewOf(boxes));
  }

  turn(id: string, isWanted: boolean): void {
    this.page.stage({ id, enabled: this.boxes[id] === true }, isWanted);
  }

  get staged(): unknown {
    return Object.fromEntries(this.page.staged);
  }
}

const boxes = { a: true, b: false, c: false };

it('hold what differs, and nothing that is turned back', () => {
  const scene = new Scene({ ...boxes });
  scene.turn('a', false);
  scene.turn('b', true);
  expect(scene.staged).toEqual({ a: false, b: true });
  scene.turn('a', true);
  expect(scene.staged).toEqual({ b: true });
  expect(Object.fromEntries(scene.kept)).toEqual({ b: true });
  scene.page.discard();
  expect(scene.staged).toEqual({});
  expect(scene.kept.size).toBe(0);
});

it('lose what has come true meanwhile, and what is gone', () => {
  const scene = new Scene({ ...boxes });
  scene.turn('a', false);
  scene.turn('b', true);
  scene.turn('c', true);
  scene.page.receive(viewOf({ a: false, b: false }));
  expect(scene.staged).toEqual({ b: true });
});

it('are the same for any order of turns that ends in the same wishes', () => {
  const random = new SeededRandom(7);
  for (let round = 0; round < 200; round++) {
    const scene = new Scene({ ...boxes });
    const wishes: Record<string, boolean> = { ...boxes };
    for (let turn = 0; turn < 12; turn++) {
      const id = random.pick(Object.keys(boxes));
      const isWanted = random.chance(2);
      wishes[id] = isWanted;
      scene.turn(id, isWanted);
    }
    expect(scene.staged).toEqual(
      Object.fromEntries(
        Object.entries(wishes).filter(([id, isWanted]) => isWanted !== scene.boxes[id]),
      ),
    );
  }
});

it('show what the last of them would do, and nothing once none is left', async () => {
  const scene = new Scene({ ...boxes });
  scene.turn('a', false);
  scene.turn('b', true);
  scene.turn('c', true);
  await expect.poll(() => scene.page.preview?.summary).toContain('"enable":["b","c"]');
  scene.page.discard();
  expect(scene.page.preview).toBeUndefined();
  scene.turn('b', true);
  scene.page.discard();
  await new Promise(setImmediate);
  expect(scene.page.preview).toBeUndefined();
});

it('are applied all at once, and stay when that fails', async () => {
  const scene = new Scene({ ...boxes });
  scene.turn('a', false);
  scene.turn('b', true);
  scene.failure = new Error('The file has a syntax error.');
  await scene.page.apply();
  expect(scene.page.outcome).toEqual({ isError: true, text: 'The file has a syntax error.' });
  expect(scene.staged).toEqual({ a: false, b: true });
  scene.failure = undefined;
  // the entry of another file keeps it off
  scene.boxes.a = false;
  const applied = scene.page.apply();
  scene.turn('c', true);
  await applied;
  expect(scene.asked.filter(([type]) => type === 'applySwitches').at(-1)?.[1]).toEqual({
    enable: ['b'],
    disable: ['a'],
  });
  expect(scene.staged).toEqual({ c: true });
});

it('outlive the page, and are left out where something else was kept', () => {
  const kept = new Map([
    ['a', false],
    ['gone', true],
  ]);
  expect(new Scene({ ...boxes }, kept).staged).toEqual({ a: false });
  expect([...savedStaged({ staged: [...kept] })]).toEqual([...kept]);
  for (const other of [undefined, 1, {}, { staged: 1 }, { staged: [1, ['a'], ['a', 'b']] }]) {
    expect(savedStaged(other).size).toBe(0);
  }
});
