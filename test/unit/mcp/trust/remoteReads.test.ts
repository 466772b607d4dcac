import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isHumanError } from '../../../../src/base/errors.js';
import type { McpHttpLaunch } from '../../../../src/config/definition.js';
import { resolveLaunch } from '../../../../src/config/launch/resolveLaunch.js';
import { describeLaunch } from '../../../../src/mcp/trust/describeLaunch.js';
import { describeLines } from '../../../../src/mcp/trust/descriptionLines.js';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';
import { fakeDefinition, fakeFolder } from '../../../helpers/fakes/fakeMcp.js';

const seed = Date.now() % 2 ** 31;
const piece = fc.oneof(
  fc.constantFrom('${FIRST}', '{env:SECOND}', '$env:FIRST', '${NONE:-x${SECOND}}', '${input:one}'),
  fc.constantFrom('${workspaceFolder}', '${userHome}', 'https://', '127.0.0.1', '/', '${', '}'),
  fc.string({ maxLength: 6 }),
);
const text = fc
  .array(piece, { maxLength: 4 })
  .map((pieces) => pieces.join(''))
  .filter((value) => !value.startsWith('!'));
const launches: fc.Arbitrary<McpHttpLaunch> = fc.record({
  kind: fc.constant('http'),
  url: text.map((value) => `https://e.example/${value}`),
  transport: fc.constantFrom('auto', 'sse'),
  headers: fc.dictionary(fc.stringMatching(/^[A-Z][a-z]{0,6}$/), text, { maxKeys: 3 }),
  ignoreCertificateErrors: fc.boolean(),
  oauth: fc.record({
    issuer: text,
    scope: text,
    clientSecret: text,
    audience: text,
    parameters: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), text, { maxKeys: 2 }),
    identityProvider: fc.record({ tokenEndpoint: text, clientId: text, idToken: text }),
  }),
});

it(`reads nothing for a remote server that its description lacks (seed ${seed})`, async () => {
  const host = createNodeHostEnvironment({
    homeDir: '/home/user',
    env: { FIRST: 'first', SECOND: 'second' },
  });
  const folder = fakeFolder('api');
  let count = 0;
  await fc.assert(
    fc.asyncProperty(launches, async (launch) => {
      const seen = new Set<string>();
      const environment = {
        ...host,
        getVariable: (name: string) => {
          seen.add(`env ${name}`);
          return host.getVariable(name);
        },
      };
      const inputs = {
        resolve: async (_pool: string, id: string) => {
          seen.add(`input ${id}`);
          return 'answer';
        },
      };
      const definition = fakeDefinition('x', { folder, change: { launch } });
      await resolveLaunch(definition, { environment, inputs }).catch((error: unknown) => {
        // such as a variable that is not set
        expect(isHumanError(error)).toBe(true);
      });
      count += seen.size;
      const description = describeLaunch(launch, { isGlobalName: false });
      const described = new Set(description.reads.map(({ kind, name }) => `${kind} ${name}`));
      expect([...seen].filter((read) => !described.has(read))).toEqual([]);
      const isPublic = description.traits.every((trait) => trait !== 'reads_environment');
      expect(isPublic && seen.size > 0).toBe(false);
      const shown = describeLines(description).map((line) => line.text);
      expect(shown.length).toBeGreaterThan(description.addresses.length);
      expect(shown.filter((line) => /[^ -~\p{L}\p{N}\p{P}\p{M}]/u.test(line))).toEqual([]);
    }),
    { seed },
  );
  expect(count).toBeGreaterThan(0);
});
