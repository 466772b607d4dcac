import { expect, it } from 'vitest';
import { StdioTransport } from '../../../../../src/mcp/connection/stdio/stdioTransport.js';
import { createProcessTree } from '../../../../../src/platform/process/tree.js';
import { withFullTable } from '../../../../helpers/fullTable.js';

// an error that nobody listens to ends the command line
it('says that no further file can be opened', async () => {
  await withFullTable(async () => {
    const transport = new StdioTransport(
      {
        executable: '/bin/cat',
        args: [],
        cwd: '/',
        env: {},
      },
      { tree: createProcessTree(), onNotice: () => undefined },
    );
    await expect(transport.start()).rejects.toMatchObject({ code: 'EMFILE' });
    await transport.close();
  });
});
