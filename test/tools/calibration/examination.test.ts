// Tests the examination of a calibration: its answers, its cost, and that it leaves nothing behind.
import { expect, test } from 'vitest';
import { type Behaviour, behaviours } from '../../../src/core/model/behaviours.ts';
import { limitsOf } from '../../../src/core/platform/limits.ts';
import { type Behaviours, DEFAULT_BEHAVIOURS, describeBehaviours } from '../../../src/emulator/api/behaviours.ts';
import { declaredLimitsOf } from '../../../src/tools/calibration/limit-probes.ts';
import { probes, undecidable } from '../../../src/tools/calibration/probe-table.ts';
import { answering, killedAt, namesOn, patient, sentUndocumented, valuesOf } from './support.ts';

test('knows every reading of the emulator, with its values', () => {
  for (const line of describeBehaviours()) {
    const [name = '', values = ''] = line.split('=');
    const known = new Map(Object.entries<Behaviour>(behaviours)).get(name)?.values;
    expect([name, known?.map(String).toSorted()]).toEqual([name, values.split('|').toSorted()]);
  }
});

test('has a hypothesis for each value of each behaviour, or says why no probe can separate them', () => {
  for (const [name, probe] of probes) {
    const hypotheses =
      probe.type === 'bursts' ? probe.hypotheses : probe.type === 'question' ? probe.question.hypotheses : {};
    const values = Object.entries<Behaviour>(behaviours).find(([reading]) => reading === name)?.[1].values;
    if (probe.type === 'none') expect(probe.because, name).not.toBe('');
    else if (probe.type !== 'headers' && typeof hypotheses !== 'function')
      expect([name, Object.keys(hypotheses).toSorted()]).toEqual([name, values?.map(String).toSorted()]);
  }
});

const unlike: Partial<Behaviours> = {
  deactivatedUserRead: 'refused',
  deactivatedMember: 'allowed',
  migrationIntoFrozen: 'allowed',
  migrationByDeactivated: 'allowed',
  migrationBatch: 'up_to_first_bad',
  migrationUnhidesSender: true,
  customFieldOfFile: 'file',
  dedup: 'refuse',
  dedupScope: 'application',
  profileImage: 'optional',
  metadataValues: 'strings',
  metadataPostOfExistingKey: 'overwrites',
  metadataUpdateOfUnknownKey: 'ignored',
  channelMetadataInView: 'never',
  freezeWithoutValue: 'freezes',
  operatorIdsOnUpdate: 'add',
  operatorOutsidePrivateChannel: 'allowed',
  operatorsInOpenLists: 'absent',
  operatorsInGroupViews: 'absent',
  leaveOfNonMember: 'ignored',
  leaveOfInvitee: 'not_found',
  inviteOfMember: 'refused',
  memberOrder: 'oldest_first',
  memberActiveModeAll: 'allowed',
  multipartLists: 'commas',
  banOfBanned: 'overwrites',
  banUpdate: 'from_start',
  permanentBanEnd: 'minus_one',
  muteOfMuted: 'overwrites',
  liftOfNothing: 'ignored',
  moderationUpdate: 'merges',
  moderationOfNewType: 'created',
  moderationKeywords: 'list',
  userScope: 'first_listed',
  planLimits: 'method',
  replyTime: 'ignored',
  replyDepth: 'attached',
  replyToAdmin: 'taken',
  dataRequests: 'off',
  unknownRouteStatus: 404,
};

/** The behaviours that a calibration never decides. Tests of the emulator cover them. */
const never: readonly string[] = Object.keys(undecidable);
/** Values that exclude others of `unlike`. */
const furtherValues: readonly Partial<Behaviours>[] = [
  {
    planLimits: 'unlisted',
    dedup: 'ignore',
    operatorsInOpenLists: 'listed',
    leaveOfInvitee: 'invalid',
    multipartLists: 'json',
    replyTime: 'refused',
    replyDepth: 'nested',
    migrationUnhides: false,
  },
  { messageRetrieval: 'off', multipartLists: 'repeated', messageIntoFrozen: 'allowed', userScope: 'application' },
];

test.for([unlike, ...furtherValues])('finds every reading of a platform with %j', async (unusual) => {
  const { results } = await patient({ behaviours: unusual, window: 'gcra' }).examine();
  expect(valuesOf(results)).toMatchObject({ ...unusual, window: 'gcra', userRules: 'held', rateHeaders: 'sent' });
});

test('looks for every value of every reading of the emulator that it decides', () => {
  const platforms = [DEFAULT_BEHAVIOURS, unlike, ...furtherValues];
  const covered = platforms.flatMap((one) => Object.entries(one).map(([name, value]) => `${name}=${value}`));
  const missing = describeBehaviours().flatMap((line) => {
    const [name = '', values = ''] = line.split('=');
    return never.includes(name) ? [] : values.split('|').map((value) => `${name}=${value}`);
  });
  expect(missing.filter((one) => !covered.includes(one))).toEqual([]);
});

test('needs fewer than 160 calls and less than two minutes on the smallest plan, and leaves nothing', async () => {
  const subject = patient({ ratePlan: 'free_trial', latencyMs: 150 });
  const { results, calls, durationMs, left } = await subject.examine();
  expect(calls).toBeLessThan(160);
  expect(durationMs).toBeLessThan(120_000);
  const undecided = Object.entries(results).filter(([, result]) => 'undecided' in result);
  expect(Object.fromEntries(undecided)).toEqual({
    userRules: { undecided: 'the plan allows only 5 calls a second, no more than the rule for one user' },
    userScope: { undecided: 'the plan allows only 5 calls a second, no more than the rule for one user' },
    ...Object.fromEntries(Object.entries(undecidable).map(([name, because]) => [name, { undecided: because }])),
  });
  expect(Object.keys(results)).toEqual(Object.keys(behaviours));
  const decided = Object.entries(DEFAULT_BEHAVIOURS).filter(([name]) => !undecided.some(([other]) => other === name));
  expect(valuesOf(results)).toMatchObject(Object.fromEntries(decided));
  expect(left).toEqual([]);
  expect(namesOn(subject)).toEqual([]);
});

const renamed = 'PUT /users/{user_id}';
const invited = 'POST /group_channels/{channel_url}/invite';

test.for<[raised: Record<string, number>, headers: 'sent' | 'absent', scope: Behaviours['userScope'], decided: object]>(
  [
    [{ [renamed]: 8, [invited]: 12 }, 'sent', 'application', { userRules: { value: 'held' } }],
    [{ [renamed]: 8, [invited]: 12 }, 'sent', 'first_listed', { userRules: { value: 'held' } }],
    [{ [renamed]: 8, [invited]: 12 }, 'sent', 'named', { userRules: { value: 'held' } }],
    [{ [renamed]: 8, [invited]: 12 }, 'absent', 'application', { userRules: { value: 'held' } }],
    [{ [renamed]: 8, [invited]: 12 }, 'absent', 'first_listed', { userRules: { value: 'held' } }],
    [
      { [renamed]: 30 },
      'sent',
      'application',
      { window: { undecided: expect.stringContaining('30 calls are too many') } },
    ],
  ],
)('follows the raised limits %j with headers %s and scope %s', async ([raised, headers, userScope, decided]) => {
  const around =
    headers === 'sent'
      ? undefined
      : answering(({ rate: _rate, ...answer }) =>
          answer.type === 'limited' ? { ...answer, retryAfterS: undefined } : answer,
        );
  const { results } = await patient({
    raised,
    ratePlan: '25k_mau',
    behaviours: { userScope },
    ...(around && { around }),
  }).examine();
  expect(results).toMatchObject({ ...decided, userScope: { value: userScope } });
});

test.for(['application', 'named'] as const)(
  'never decides wrongly for scope %s on limits that are raised but not declared',
  async (userScope) => {
    const { ports, ...subject } = patient({
      raised: { [invited]: 12 },
      ratePlan: '25k_mau',
      behaviours: { userScope },
    });
    const declaredLimits = declaredLimitsOf(limitsOf({ ratePlan: '25k_mau', limits: {}, share: 1 }));
    const { results } = await subject.examine({ ...ports, declaredLimits });
    expect([userScope, undefined]).toContain(valuesOf(results).userScope);
  },
);

test('lists undecided behaviours when a feature is missing, a response is odd or a response is lost', async () => {
  let losses = 0;
  const around = answering((answer, { method, route, body }) => {
    if (route.startsWith('/migration')) return { type: 'refused', status: 400, code: 400108, message: '' };
    if (route === '/group_channels/{channel_url}/members')
      return { type: 'refused', status: 400, code: 1, message: '' };
    if (body?.user_ids === undefined || method !== 'PUT' || losses++ > 0) return answer;
    return { type: 'unknown', message: 'connection reset' };
  });
  const { results } = await patient({ around }).examine();
  expect(results.migration).toMatchObject({ value: 'off' });
  expect(results).toMatchObject({
    dedup: { undecided: 'migration is off' },
    dedupScope: { undecided: 'migration is off' },
    memberActiveModeAll: {
      undecided: 'no known behaviour of memberActiveModeAll fits: GET /group_channels/{channel_url}/members → 1',
    },
    leaveOfNonMember: { undecided: 'a response was lost: PUT /group_channels/{channel_url}/leave → 400201' },
  });
});

test('records and names objects that the platform refuses to remove', async () => {
  const around = answering((answer, { method, route }) =>
    method === 'DELETE' && route === '/open_channels/{channel_url}'
      ? { type: 'refused', status: 400, code: 400108, message: '' }
      : answer,
  );
  const subject = patient({ around });
  const { left } = await subject.examine();
  expect(left.map(({ kind }) => kind)).toEqual(['open_channel', 'open_channel', 'open_channel']);
  expect(subject.journal.made).toEqual(left);
});

test('reports remaining objects when the platform stops responding, and removes them in the next run', async () => {
  let calls = 0;
  const around = answering((answer) => {
    calls += 1;
    return calls > 40 && calls < 80 ? { type: 'unsent', message: 'connection refused' } : answer;
  });
  const subject = patient({ around });
  await expect(subject.examine()).rejects.toMatchObject({
    code: 'calibrate.leftovers',
    exitCode: 1,
    message: expect.stringContaining('connection refused'),
  });
  expect(subject.journal.made).not.toEqual([]);
  calls = 80;
  await subject.examine();
  expect([subject.journal.made, namesOn(subject)]).toEqual([[], []]);
});

test('removes its objects when it is interrupted', async () => {
  const stop = new AbortController();
  let calls = 0;
  const around = answering((answer) => {
    calls += 1;
    if (calls === 40) stop.abort();
    return answer;
  });
  const subject = patient({ around });
  await expect(subject.examine({ signal: stop.signal })).rejects.toMatchObject({
    exitCode: 8,
    message: 'The calibration was interrupted.',
    advice: expect.stringMatching(/^The objects that it had made were removed again\. No behaviours were written\./u),
  });
  expect([subject.journal.made, namesOn(subject)]).toEqual([[], []]);
});

test.each([37, 90])('leaves nothing after a kill at call %d', async (call) => {
  const subject = await killedAt(call);
  expect([subject.journal.made, namesOn(subject)]).toEqual([[], []]);
});

test('asks nothing undocumented, except where the question is whether a platform knows it', async () => {
  await patient({}).examine();
  expect([...sentUndocumented].sort()).toEqual([
    // channelMetadataInView and unknownRouteStatus.
    'GET /group_channels/{channel_url}: query parameter show_metadata',
    'GET /v3/chatform_calibrate',
  ]);
});
