// Times plans of message archives, each in a process of its own.
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cost, inFolder, measureChild } from './measure.ts';
import { type Row, rounded } from './table.ts';

/** CHATFORM_BENCH_MESSAGES=10000000 for the size that the design speaks of. */
const messages = Number(process.env.CHATFORM_BENCH_MESSAGES ?? 1_000_000);
const perChannel = 1_000;
const time = 1_500_000_000_000;

interface Measured extends Cost {
  readonly calls: number;
}

export async function benchMessages(): Promise<Row[]> {
  return inFolder(async (folder) => {
    const channels = Math.ceil(messages / perChannel);
    const megabytes = (await writeArchives(folder, channels)) / 1e6;
    const measure = (way: string) => measureChild<Measured>('messages-child.ts', way, folder);
    const first = await measure('plan');
    const again = await measure('plan');
    await measure('halve');
    const resumed = await measure('plan');
    await rm(join(folder, '.chatform/cache'), { recursive: true, force: true });
    const elsewhere = await measure('plan');
    const rows: [string, Measured][] = [
      ['plan', first],
      ['plan again', again],
      ['plan, half of it sent', resumed],
      ['the same without the cache', elsewhere],
    ];
    return rows.map(([what, { s, cpuS, calls, rssMb }]) => ({
      what,
      messages,
      channels,
      calls,
      s: rounded(s, 1),
      'processor s': rounded(cpuS, 1),
      'MB/s': Math.round(megabytes / s),
      'peak MB': Math.round(rssMb),
    }));
  });
}

async function writeArchives(folder: string, channels: number): Promise<number> {
  await mkdir(join(folder, 'history'));
  const names = Array.from({ length: channels }, (_, place) => `room-${place}`);
  await writeFile(
    join(folder, 'm.yaml'),
    `version: 1
application: { base_url: 'https://api-bench.sendbird.com/v3', rate_plan: 25k_mau }
users: { alice: { nickname: A, profile_url: '' }, bob: { nickname: B, profile_url: '' } }
sources: [{ kind: group_channel, file: rooms.ndjson }, { kind: messages, file: "history/{channel_url}.ndjson" }]
`,
  );
  await writeFile(
    join(folder, 'rooms.ndjson'),
    names.map((name) => `${JSON.stringify({ channel_url: name, members: { alice: {}, bob: {} } })}\n`).join(''),
  );
  let bytes = 0;
  for (const name of names) {
    const file = createWriteStream(join(folder, 'history', `${name}.ndjson`));
    const text = Array.from({ length: perChannel }, (_, place) =>
      JSON.stringify({
        message_type: 'MESG',
        user_id: place % 2 === 0 ? 'alice' : 'bob',
        message: `Message ${place} of ${name}, which is about as long as messages in support rooms mostly are.`,
        custom_type: 'chat',
        timestamp: time + place * 1000,
      }),
    ).join('\n');
    bytes += Buffer.byteLength(text) + 1;
    await new Promise<void>((resolve) => file.end(`${text}\n`, resolve));
  }
  return bytes;
}
