// Tests that an undo restores every readable attribute or lists it as not restored, for any estates over HTTP, with edits by
// others in between. test/promise/undos.test.ts kills the run and the undo in virtual time, where a seed repeats a schedule.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../../src/core/app/apply.ts';
import { undoRun } from '../../../src/core/app/undo.ts';
import type { Address } from '../../../src/core/model/address.ts';
import { Refusal } from '../../../src/core/model/errors.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { startEmulator } from '../../../src/emulator/server.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { writeFiles } from '../../support/folders.ts';
import { manifestOf } from '../../support/planning/manifest-of.ts';
import { twoEstates } from '../../support/planning/two-estates.ts';
import { call } from '../../support/platform.ts';
import { objectDifferences } from '../../support/platform-differences.ts';
import { inSuite } from '../../support/suite.ts';
import { paths, testPorts } from './support/ports.ts';

const policy = {
  existing: 'adopt',
  reopen: { frozen: 'allow', deactivated: 'allow' },
  removals: { max_share: 1, free_count: 1000 },
};
/** The platform counts the seconds to the end of a ban from the call. */
function isAboutSeconds(sentence: string): boolean {
  const [found, wanted] = sentence.replace(/^.* (?:banned|muted) is /u, '').split(' instead of ');
  const toMinutes = (text = '') => text.replace(/(T\d\d:\d\d)[^"]*"/gu, '$1"');
  return sentence.includes('until') && toMinutes(found) === toMinutes(wanted);
}

/** What an undo says about objects that it does not restore. */
function said({ warnings }: Plan): string {
  return warnings.flatMap(({ code, detail }) => (code === 'undo.not-restored' ? [detail] : [])).join('\n');
}

test('restores what a run changed, or lists what it does not restore', async () => {
  await fc.assert(
    fc.asyncProperty(twoEstates, fc.boolean(), async ([first, second], isEdited) => {
      const platform = await startEmulator({ rateLimits: false });
      try {
        const ports = {
          ...(await testPorts({ 'chat.yaml': manifestOf(first, policy) })),
          env: {
            CHATFORM_API_TOKEN: platform.token,
            CHATFORM_VAR_CODE: 'secret',
            CHATFORM_ALLOWED_HOSTS: '127.0.0.1,bots.example.com',
          },
        };
        const options = { paths, baseUrl: platform.url, tokensOut: 'tokens', settleMs: 0, ratePlan: '100k_mau' };
        const before = await applyChanges(options, ports);
        fc.pre(before.report.exit_code === 0);
        await writeFiles(ports.cwd, { 'chat.yaml': manifestOf(second, policy) });
        await applyChanges(options, ports);
        const edited = isEdited ? editedUser(first, second) : undefined;
        if (edited !== undefined)
          await call(platform, 'PUT', `/users/${encodeURIComponent(edited)}`, { nickname: 'by hand' });
        let lost = '';
        const review = async (plan: Plan) => {
          lost = said(plan);
          return 'exact' as const;
        };
        await undoRun(options, ports, { review });
        const read = (path: string, query: Readonly<Record<string, string>>) =>
          call(platform, 'GET', `${path}?${new URLSearchParams(query)}`) as Promise<JsonObject>;
        const there = new Set(first.map(({ address }) => address));
        const found = await objectDifferences(read, first, { retired: [] });
        const open = found.filter((sentence) => {
          const address = sentence.split(' ')[0] as Address;
          // Somebody who is invited again may have to accept (semantics §2.2).
          if (/ as invited instead of joined$/u.test(sentence) || isAboutSeconds(sentence)) return false;
          return !lost.includes(address) && (there.has(address) || !/exists and is not known/u.test(sentence));
        });
        expect(open, lost).toEqual([]);
      } catch (error) {
        // Removing all objects of a kind needs an acknowledgement, for an undo as for an apply.
        if (!(error instanceof Refusal) || error.code !== 'safety.refused') throw error;
        fc.pre(false);
      } finally {
        await platform.close();
      }
    }),
    // A smaller example would take longer than the test may, and what goes on after its end disturbs the tests after it.
    { endOnFailure: true, numRuns: inSuite(2, 10) },
  );
});

/** A user whose nickname the second estate changes. */
function editedUser(first: readonly Resource[], second: readonly Resource[]): string | undefined {
  const before = new Map(first.map(({ address, attributes }) => [address, attributes.nickname]));
  const found = second.find(
    ({ address, attributes }) =>
      address.startsWith('user.') && before.has(address) && before.get(address) !== attributes.nickname,
  );
  return found?.address.slice('user.'.length);
}
