/** What a call that writes a file would make of it, for the user who is asked about it. */
import { isJsonObject } from '../../base/json.js';
import { changeView, type TextChange, wantedChange } from '../changes/changeView.js';
import type { EditedFiles } from '../changes/ports.js';
import { maxTextBytes } from '../changes/version.js';
import type { PiModule } from '../pi/piModule.js';
import type { CallPreview } from '../policy/toolIdentity.js';
import type { FilePlace } from './filePlace.js';

export type PreviewCall = (
  tool: string,
  args: unknown,
  place: FilePlace,
) => Promise<CallPreview | undefined>;

/** @param cwd absolute */
export function createFilePreview(pi: PiModule, cwd: string, files: EditedFiles): PreviewCall {
  return async (tool, args, { path }) => {
    const wanted = wantedChange(tool, args);
    const current = wanted ? await files.read(path) : 'unread';
    if (!wanted || current === 'unread' || current.length > maxTextBytes) {
      return wanted && { view: wanted };
    }
    const before = current === 'absent' ? undefined : current.toString();
    try {
      const after = tool === 'write' ? contentOf(args) : await dryRun(pi, cwd, args, before ?? '');
      const texts: TextChange = { before, after };
      const kind = tool === 'edit' ? 'edit' : before === undefined ? 'create' : 'overwrite';
      return { view: changeView(wanted.path, kind, texts), texts };
    } catch {
      // the call itself says why it fails
      return { view: wanted };
    }
  };
}

function contentOf(args: unknown): string {
  return isJsonObject(args) && typeof args.content === 'string' ? args.content : '';
}

/** Pi's own tool, so that what is shown is what it will do. @throws what the tool throws */
async function dryRun(pi: PiModule, cwd: string, args: unknown, before: string): Promise<string> {
  let after = '';
  const tool = pi.createEditToolDefinition(cwd, {
    operations: {
      access: async () => undefined,
      readFile: async () => Buffer.from(before),
      writeFile: async (_path, content) => {
        after = content;
      },
    },
  });
  const prepared: unknown = tool.prepareArguments?.(args) ?? args;
  // of a name of its own, so that it neither waits for other calls nor looks anything up
  const nowhere = { ...(isJsonObject(prepared) && prepared), path: 'preview' };
  await tool.execute('preview', nowhere as never, undefined, undefined, undefined as never);
  return after;
}
