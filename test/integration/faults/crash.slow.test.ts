/** The matrix of `crash`: the extension host ends at any change to a file. */
import { expect, it } from 'vitest';
import { lastDraft } from '../../fixtures/crash/scene.js';
import { useCrashes } from '../../helpers/crashes.js';

/** Changes to files between two windows that are really killed: each costs seconds. */
const killEvery = 20;

const crashes = useCrashes();

it('finds everything whenever the window is killed while it writes', async () => {
  let moments = 0;
  for (let operation = 0; ; operation += killEvery) {
    const told = await crashes.killAt(operation);
    try {
      await crashes.lookAgain(told);
    } catch (error) {
      throw new Error(`Killed before change ${operation}`, { cause: error });
    }
    moments++;
    const last = told.at(-1);
    if (last?.kind === 'drafted' && last.text === lastDraft) {
      break;
    }
  }
  expect(moments).toBeGreaterThan(5);
}, 600_000);

it('finds everything as it was, whatever was being written', async () => {
  const { told, contents, different } = await crashes.record();
  const failures: string[] = [];
  for (const image of different) {
    await crashes.restore(image, contents);
    try {
      await crashes.lookAgain(told.slice(0, image.told));
    } catch (error) {
      failures.push(`before ${image.before}: ${String(error)}`);
    }
  }
  expect(failures).toEqual([]);
  expect(different.length).toBeGreaterThan(100);
}, 600_000);
