// Tests that a run says so when it changes the membership of somebody who is not in the channel.
import { expect } from 'vitest';
import type { ApplyReport } from '../../../src/core/model/report.ts';
import { connected } from '../../support/place.ts';
import { fastTest } from '../../support/suite.ts';

const chat = (bob: string, carol: string) => `version: 1
users: { alice: { nickname: A }, bob: { nickname: B, auto_accept: false }, carol: { nickname: C }, dora: { nickname: D } }
group_channels:
  supp:
    name: S
    members: { alice: , bob: ${bob}, carol: ${carol}, dora: ${carol} }
`;
const invited = '{ invitation_status: invited_by_friend }';

fastTest('names members who declined or left, in words and in the report', async () => {
  const { at, call } = await connected({ 'chat.yaml': chat(invited, '') });
  await at.does('apply --auto-approve');
  await call('PUT', '/group_channels/supp/decline', { user_id: 'bob' });
  await call('PUT', '/group_channels/supp/leave', { user_ids: ['carol'] });
  await at.write({ 'chat.yaml': chat('', '{ hidden_status: hidden_prevent_auto_unhide }') });
  const { stderr } = await at.does('apply --auto-approve --report report.json');
  expect(stderr.replaceAll(/\s+/gu, ' ')).toContain(
    '2 calls changed nothing, because the user left the channel or declined the invitation: bob in group_channel.supp, carol in group_channel.supp.',
  );
  const report = JSON.parse(await at.read('report.json')) as ApplyReport;
  const address = 'group_channel.supp';
  expect(report).toMatchObject({
    outcome: 'done',
    not_members: [
      { address, user_id: 'bob' },
      { address, user_id: 'carol' },
    ],
  });
  await at.write({ 'chat.yaml': chat('', '') });
  const next = await at.does('apply --auto-approve --report report.json --target user.alice');
  expect(next.stderr).not.toContain('changed nothing');
});
