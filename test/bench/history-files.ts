// Manifests with history files, made by formula, so that every run measures the same.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeLines } from './many-users.ts';

/** One channel after the other. `messageAt` gives the lines of a history file. */
export async function writeHistoryFiles(
  folder: string,
  application: string,
  { channels, perChannel }: { readonly channels: number; readonly perChannel: number },
  messageAt: (channel: string, place: number) => object,
): Promise<void> {
  await mkdir(join(folder, 'history'), { recursive: true });
  await writeFile(
    join(folder, 'm.yaml'),
    `version: 1
application: ${application}
users: { alice: { nickname: A, profile_url: '' }, bob: { nickname: B, profile_url: '' } }
sources: [{ kind: group_channel, file: rooms.ndjson }, { kind: messages, file: "history/{channel_url}.ndjson" }]
`,
  );
  const json = (value: object): string => `${JSON.stringify(value)}\n`;
  const room = (place: number) => json({ channel_url: `room-${place}`, members: { alice: {}, bob: {} } });
  await writeLines(join(folder, 'rooms.ndjson'), channels, room);
  for (let channel = 0; channel < channels; channel += 1) {
    const file = join(folder, 'history', `room-${channel}.ndjson`);
    await writeLines(file, perChannel, (place) => json(messageAt(`room-${channel}`, place)));
  }
}
