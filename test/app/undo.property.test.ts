// Tests that an undo restores every readable attribute or lists it as not restored, for any estates, with kills during the
// run and the undo, and with edits by others in between.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/app/apply.ts';
import { planUndo, undoRun } from '../../src/app/undo.ts';
import { type RunningEmulator, startEmulator } from '../../src/emulator/server.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { type Address, kindOf } from '../../src/model/address.ts';
import { Refusal } from '../../src/model/errors.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Resource } from '../../src/model/resource.ts';
import { writeFiles } from '../support/folders.ts';
import { estate, possible } from '../support/planning/arbitrary-estates.ts';
import { manifestOf } from '../support/planning/manifest-of.ts';
import { resources, stateOf } from '../support/planning/planning.ts';
import { call } from '../support/platform.ts';
import { objectDifferences } from '../support/platform-differences.ts';
import { inSuite } from '../support/suite.ts';
import { gateTo } from './support/killed-runs.ts';
import { paths, testPorts } from './support/ports.ts';

const policy = {
  existing: 'adopt',
  reopen: { frozen: 'allow', deactivated: 'allow' },
  removals: { max_share: 1, min_count: 1000 },
};
/** Objects of every kind that stay, because removing all objects of a kind needs an acknowledgement. */
const anchors = resources({
  user: { anchor: { nickname: 'Anchor' } },
  bot: {
    'anchor-bot': {
      bot_nickname: 'Anchor',
      bot_type: 'fixed',
      bot_callback_url: 'https://bots.example.com/a',
      is_privacy_mode: true,
    },
  },
  open_channel: { 'anchor-open': { name: 'Anchor' } },
  group_channel: { 'anchor-group': { members: { anchor: {} } } },
});
const anchored = fc.tuple(estate, estate).map((both) => {
  const standing = new Set(anchors.map(({ address }) => kindOf(address)));
  const isIn = (one: readonly Resource[], kind: string) => one.some(({ address }) => kindOf(address) === kind);
  const kept = ({ address }: Resource) =>
    standing.has(kindOf(address)) || both.every((one) => isIn(one, kindOf(address)));
  return both.map((one) => [...one.filter(kept).map(withoutModes), ...anchors]) as [Resource[], Resource[]];
});

/** Modes matter only for a refresh of declarations, and a manifest may not use `constructor` as a key. */
function withoutModes(resource: Resource): Resource {
  const { members_mode: _members, operators_mode: _operators, ...attributes } = resource.attributes;
  const text = JSON.stringify({ ...resource, attributes });
  return JSON.parse(text.replaceAll('"constructor"', '"carol"').replaceAll('.constructor"', '.carol"')) as Resource;
}

/** The platform counts the seconds to the end of a ban from the call. */
function isAboutSeconds(sentence: string): boolean {
  const [found, wanted] = sentence.replace(/^.* (?:banned|muted) is /u, '').split(' instead of ');
  const toMinutes = (text = '') => text.replace(/(T\d\d:\d\d)[^"]*"/gu, '$1"');
  return sentence.includes('until') && toMinutes(found) === toMinutes(wanted);
}

const never = Number.POSITIVE_INFINITY;
const kill = fc.oneof(fc.constant(never), fc.integer({ min: 1, max: 12 }));

/** What an undo says about objects that it does not restore. */
function said({ warnings }: Plan): string {
  return warnings.flatMap(({ code, detail }) => (code === 'undo.not-restored' ? [detail] : [])).join('\n');
}

test('restores what a run changed, or lists what it does not restore', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(anchored, kill, kill, fc.boolean(), async ([first, wanted], inRun, inUndo, isEdited) => {
      const platform = await startEmulator({ rateLimits: false });
      const gate = await gateTo(platform);
      try {
        const second = possible(wanted, stateOf(first));
        const ports = {
          ...(await testPorts({ 'chat.yaml': manifestOf(first, policy) })),
          env: {
            CHATFORM_API_TOKEN: platform.token,
            CHATFORM_VAR_CODE: 'secret',
            CHATFORM_ALLOWED_HOSTS: '127.0.0.1,bots.example.com',
          },
        };
        const { cwd } = ports;
        const options = {
          paths,
          baseUrl: `http://127.0.0.1:${gate.port}/v3`,
          tokensOut: 'tokens',
          settleMs: 0,
          ratePlan: '100k_mau',
        };
        const before = await applyChanges(options, ports);
        if (before.report.exit_code !== 0) return;
        await writeFiles(cwd, { 'chat.yaml': manifestOf(second, policy) });
        await gate.killed(inRun, cwd, ports, (dying) => applyChanges(options, dying));
        const edited = isEdited ? editedUser(first, second) : undefined;
        const isUntouched = edited !== undefined && (await nicknameOf(platform, edited)) === nicknameIn(first, edited);
        if (edited !== undefined)
          await call(platform, 'PUT', `/users/${encodeURIComponent(edited)}`, { nickname: 'by hand' });
        let lost: string | undefined;
        const listeners = {
          review: async (plan: Plan) => {
            lost = `${lost ?? ''}${said(plan)}`;
            return 'exact' as const;
          },
        };
        await gate.killed(inUndo, cwd, ports, (dying) => undoRun(options, dying, listeners));
        // Continues an undo that was killed, perhaps before it was planned. One that ended would be undone in turn.
        const { plan } = await planUndo(options, ports);
        const isContinued = plan.warnings.some(
          ({ code, detail }) => code === 'undo.run' && detail.includes('continues it'),
        );
        if (isContinued || lost === undefined) await undoRun(options, ports, listeners);
        const read = (path: string, query: Readonly<Record<string, string>>) =>
          call(platform, 'GET', `${path}?${new URLSearchParams(query)}`) as Promise<JsonObject>;
        const there = new Set(first.map(({ address }) => address));
        const found = await objectDifferences(read, first, { retired: [] });
        const open = found.filter((sentence) => {
          const address = sentence.split(' ')[0] as Address;
          // An undo does not restore objects that the killed run had not changed.
          if (isUntouched && sentence.startsWith(`user.${edited} nickname is "by hand"`)) return false;
          // Somebody who is invited again may have to accept (semantics §2.2).
          if (/ as invited instead of joined$/u.test(sentence) || isAboutSeconds(sentence)) return false;
          return lost?.includes(address) !== true && (there.has(address) || !/exists and is not known/u.test(sentence));
        });
        expect(open, lost).toEqual([]);
        compared += 1;
      } catch (error) {
        // Removing all objects of a kind needs an acknowledgement, for an undo as for an apply.
        if (!(error instanceof Refusal) || error.code !== 'safety.refused') throw error;
      } finally {
        gate.close();
        await platform.close();
      }
    }),
    // A smaller example would take longer than the test may, and what goes on after its end disturbs the tests after it.
    { endOnFailure: true, numRuns: inSuite(2, 10) },
  );
  expect(compared).toBeGreaterThan(0);
});

function nicknameIn(estateOfUser: readonly Resource[], id: string): unknown {
  return estateOfUser.find(({ address }) => address === `user.${id}`)?.attributes.nickname;
}

async function nicknameOf(platform: RunningEmulator, id: string): Promise<unknown> {
  const user = (await call(platform, 'GET', `/users/${encodeURIComponent(id)}`)) as JsonObject;
  return user.nickname;
}

/** A user whose nickname the second estate changes. */
function editedUser(first: readonly Resource[], second: readonly Resource[]): string | undefined {
  const before = new Map(first.map(({ address, attributes }) => [address, attributes.nickname]));
  const found = second.find(
    ({ address, attributes }) =>
      address.startsWith('user.') && before.has(address) && before.get(address) !== attributes.nickname,
  );
  return found?.address.slice('user.'.length);
}
