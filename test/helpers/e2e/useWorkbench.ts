import { afterAll, afterEach, beforeAll } from 'vitest';
import { startWorkbench, type Workbench, type WorkbenchOptions } from './workbench.js';

/**
 * One workbench for the tests of a file. What the window showed when a test failed is saved as `failed-<test>`.
 * @param prepare brings the workbench to where the tests begin
 */
export function useWorkbench(
  options: WorkbenchOptions = {},
  prepare: (workbench: Workbench) => Promise<void> = async () => undefined,
): Workbench {
  let started: Workbench | undefined;
  beforeAll(async () => {
    started = await startWorkbench(options);
    try {
      await prepare(started);
    } catch (error) {
      await started.savePicture('failed-preparation');
      throw error;
    }
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      await started?.savePicture(`failed-${task.name.replace(/\W+/g, '-')}`);
    }
  });
  afterAll(async () => {
    await started?.stop();
  });
  // tests name the workbench before it is started
  return new Proxy({} as Workbench, {
    get: (_target, key) => Reflect.get(started ?? {}, key),
  });
}
