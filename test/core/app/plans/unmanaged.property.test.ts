// Tests that unmanaged, managed and external objects are together everything on the platform, whatever is declared or in state.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveApplication } from '../../../../src/core/app/context/application.ts';
import { whileReading } from '../../../../src/core/app/context/connect.ts';
import { countUnmanaged } from '../../../../src/core/app/plans/unmanaged.ts';
import { type Address, compareAddresses, keyOf, kindOf } from '../../../../src/core/model/address.ts';
import type { UnmanagedKind } from '../../../../src/core/model/live.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import { recordAsApplied } from '../../../../src/core/planner/diff/applied-record.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { startEmulator } from '../../../../src/emulator/server.ts';
import { linearPattern } from '../../../../src/lib/patterns/linear-pattern.ts';
import { startAltering } from '../../../support/altered-answers.ts';
import { reaching } from '../../../support/desk.ts';
import { makeFolder, removeFolder } from '../../../support/folders.ts';
import { Place } from '../../../support/place.ts';
import { estate } from '../../../support/planning/arbitrary-estates.ts';
import { manifestOf } from '../../../support/planning/manifest-of.ts';
import { kindNamed } from '../../../support/planning/planning.ts';
import { inSuite } from '../../../support/suite.ts';
import { testPorts } from '../support/ports.ts';

const policy = { reopen: { frozen: 'allow', deactivated: 'allow' } };
const listedKinds = registry.filter(({ live }) => live?.list !== undefined);
/** The estate under the names that its manifest has (`manifestOf`). */
const nameable = estate.map((resources): Resource[] =>
  JSON.parse(JSON.stringify(resources).replaceAll('constructor', 'carol')),
);
/** Whether an object is declared, and whether it is in state. */
const membership = fc.infiniteStream(fc.record({ isDeclared: fc.boolean(), isInState: fc.boolean() }));

test('counts every object once, as managed, external or unmanaged, and sends no write', async () => {
  await fc.assert(
    fc.asyncProperty(
      nameable,
      membership,
      fc.constantFrom('[aeiou]', '^[a-m]', '^$'),
      async (resources, drawn, pattern) => {
        const running = await startEmulator({ rateLimits: false });
        const { transit, url, close } = await startAltering(running.url);
        const at = new Place(await makeFolder(), { env: reaching({ url, token: running.token }) });
        try {
          await at.write({ 'm.yaml': manifestOf(resources, policy) });
          await at.does('apply m.yaml --auto-approve --tokens-out tokens');
          transit.methods.clear();
          const sorted = resources.toSorted((left, right) => compareAddresses(left.address, right.address));
          const members = sorted.map((resource) => ({ resource, ...drawn.next().value }));
          const declared = members.filter(({ isDeclared }) => isDeclared).map(({ resource }) => resource);
          const records = members
            .filter(({ isInState }) => isInState)
            .map(({ resource }) => recordAsApplied(kindNamed(kindOf(resource.address)), resource));
          const ports = { ...(await testPorts({})), env: reaching({ url, token: running.token }) };
          const application = resolveApplication({ baseUrl: url }, ports, undefined);
          const external = Object.fromEntries(listedKinds.map(({ section }) => [section, [pattern]]));
          const counted = await whileReading(application, ports, ({ reader }) =>
            countUnmanaged({ resources: declared, policy: { external } }, { records: () => records }, reader, ports),
          );
          const managed = new Set<Address>([...declared, ...records].map(({ address }) => address));
          const expected = listedKinds.map(({ name: kind }) => {
            const addresses = sorted.map(({ address }) => address).filter((address) => kindOf(address) === kind);
            const others = addresses.filter((address) => !managed.has(address));
            const known = others.filter((address) => linearPattern(pattern).test(keyOf(address)));
            return {
              kind,
              listed: addresses.length,
              managed: addresses.length - others.length,
              external: known.length,
              unmanaged: others.length - known.length,
            };
          });
          expect(counted.kinds).toMatchObject(expected);
          expect(counted.objects).toBe(expected.reduce((sum, { unmanaged }) => sum + unmanaged, 0));
          for (const kind of counted.kinds)
            if (kind.custom_types !== undefined) expect(typed(kind)).toBe(kind.unmanaged);
          expect([...transit.methods]).toEqual(['GET']);
        } finally {
          close();
          await running.close();
          await removeFolder(at.cwd);
        }
      },
    ),
    { numRuns: inSuite(4, 60) },
  );
});

function typed({ custom_types: types = [], other_custom_types: others }: UnmanagedKind): number {
  return types.reduce((sum, { objects }) => sum + objects, others?.objects ?? 0);
}
