import { describe, expect, it } from 'vitest';
import type { FileTree } from './fileTree.js';
import { type Bait, Scene, type Trust } from './scene.js';

/** What the repository does, and what happens while it is open. */
export interface Attack {
  /** Title of the test, after `does nothing: `. */
  readonly what: string;
  readonly files: (bait: Bait) => FileTree;
  /** Default: Restricted Mode and no consent. */
  readonly trust?: readonly Trust[];
  /** Default: {@link Scene.tryEverything}. */
  readonly act?: (scene: Scene) => Promise<void>;
  /** What may run (labels of tripwires) all the same, such as a server that the user agreed to. Default: nothing. */
  readonly mayRun?: readonly string[];
  /** What must be true beside the silence of the canaries, before the window closes. */
  readonly proves?: (scene: Scene) => Promise<void> | void;
}

export interface AttackControl {
  readonly what: string;
  readonly files: (bait: Bait) => FileTree;
  /** Default: folder trust. */
  readonly trust?: Trust;
  /** Default: {@link Scene.tryEverything}. */
  readonly act?: (scene: Scene) => Promise<void>;
  /** Labels of tripwires that must be sprung. Default: none. */
  readonly runs?: readonly string[];
  /** Requests (`POST /path`) that the listener must hear at least. Default: none. */
  readonly hears?: readonly string[];
}

/** Attacks that must stay without effect, beside the same thing allowed, which shows that the canary sings. */
export function attackGroup(
  name: string,
  { control, attacks }: { readonly control: AttackControl; readonly attacks: readonly Attack[] },
): void {
  describe(name, () => {
    it(`control: ${control.what}`, async () => {
      const scene = await Scene.create(control.trust ?? 'folder trust', control.files);
      await (control.act ?? tryEverything)(scene);
      const { sprung, heard } = await scene.end();
      expect(sprung).toEqual([...(control.runs ?? [])].sort());
      expect(heard).toEqual(expect.arrayContaining([...(control.hears ?? [])]));
    });

    const cases = attacks.flatMap((attack) =>
      (attack.trust ?? (['Restricted Mode', 'no consent'] as const)).map((trust) => ({
        attack,
        trust,
      })),
    );
    it.each(cases)('does nothing: $attack.what ($trust)', async ({ attack, trust }) => {
      const scene = await Scene.create(trust, attack.files);
      await (attack.act ?? tryEverything)(scene);
      await attack.proves?.(scene);
      const { sprung, heard } = await scene.end();
      const allowed = attack.mayRun ?? [];
      expect(sprung.filter((label) => !allowed.includes(label))).toEqual([]);
      expect([heard, scene.listener.connections]).toEqual([[], 0]);
    });
  });
}

function tryEverything(scene: Scene): Promise<void> {
  return scene.tryEverything();
}
