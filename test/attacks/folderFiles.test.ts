/** What the files of a repository may declare, in every file and shape that is read. */
import { attackGroup } from './harness/attackGroup.js';

attackGroup('files of a repository', {
  control: {
    what: 'an entry of a trusted folder runs',
    files: ({ ran }) => ({ '.mcp.json': { mcpServers: { a: ran.launch('a') } } }),
    runs: ['a'],
  },
  attacks: [
    {
      what: '.mcp.json',
      files: ({ ran }) => ({ '.mcp.json': { mcpServers: { a: ran.launch('a') } } }),
    },
    {
      what: '.pi/mcp.json',
      files: ({ ran }) => ({ '.pi/mcp.json': { mcpServers: { a: ran.launch('a') } } }),
    },
    {
      what: '.pilot/mcp.json',
      files: ({ ran }) => ({ '.pilot/mcp.json': { mcpServers: { a: ran.launch('a') } } }),
    },
  ],
});
