// Tests the note about a key that looks renamed: what is not carried over, and what to edit instead.
import { expect, test } from 'vitest';
import { archiveText } from '../../support/archives.ts';
import { writeFiles } from '../../support/folders.ts';
import { runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const manifest = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
policy: { acknowledge: [{ effect: group_channel.freeze, count: 1 }, { effect: messages.retire, count: 1 }] }
users:
  alice: { nickname: Alice }
  bob: { nickname: Bob }
  carol: { nickname: Carol }
group_channels:
  room: { name: Room, members: { alice: , bob: }, messages: { file: room.ndjson } }
`;
const archive = archiveText([{ message_type: 'ADMM', message: 'Welcome', timestamp: 1_600_000_000_000 }]);

test('notes a renamed channel, user and archive', async () => {
  const cwd = await temporaryFolder({ 'chat.yaml': manifest, 'room.ndjson': archive });
  const run = async (...args: string[]) => {
    const ended = await succeeded(runCli(args, { cwd }));
    return ended.stdout;
  };
  await run('apply', '--auto-approve');
  const renamed = manifest.replace('room:', 'lounge:').replace('name: Room', 'name: Lounge').replace('carol:', 'caro:');
  await writeFiles(cwd, { 'chat.yaml': renamed });
  for (const format of ['human', 'markdown']) {
    const plan = await run('plan', '--format', format);
    await expect(plan).toMatchFileSnapshot(`goldens/rename.${format}`);
  }
});
