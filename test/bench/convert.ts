// Times the conversion of a Slack export by the built program.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installInto } from '../support/build.ts';
import { inFolder, measureProgram } from './measure.ts';
import { type Row, rounded } from './table.ts';

const channels = 20;
const messagesOfDay = 1000;
const users = 500;

export async function benchConvert(most: number): Promise<Row[]> {
  return inFolder(async (folder) => {
    const rows: Row[] = [];
    await installInto(folder);
    for (const count of [100_000, 1_000_000].filter((size) => size <= most)) {
      const exported = join(folder, `export-${count}`);
      const bytes = await writeExport(exported, count);
      const convert = ['convert', 'slack', exported, '--out', join(folder, `out-${count}`)];
      const converted = await measureProgram(folder, [join(folder, 'dist/cli/main.js'), ...convert]);
      rows.push({
        messages: count,
        'JSON MB': rounded(bytes / 1e6, 0),
        s: rounded(converted.s, 1),
        'processor s': rounded(converted.cpuS, 1),
        'peak MB': rounded(converted.rssMb, 0),
      });
    }
    return rows;
  });
}

/** As Slack writes them today: with blocks that repeat the text, some in threads, with reactions and mentions. */
async function writeExport(folder: string, count: number): Promise<number> {
  const userId = (number: number): string => `U${String(number % users).padStart(8, '0')}`;
  let bytes = 0;
  const write = async (name: string, value: unknown): Promise<void> => {
    const text = JSON.stringify(value, null, 4);
    bytes += text.length;
    await writeFile(join(folder, name), text);
  };
  await mkdir(folder);
  await write(
    'users.json',
    Array.from({ length: users }, (_none, number) => ({ id: userId(number), name: `n${number}` })),
  );
  const ids = Array.from({ length: channels }, (_none, number) => `C${String(number).padStart(8, '0')}`);
  await write(
    'channels.json',
    ids.map((id, number) => ({ id, name: `room-${number}`, members: [userId(number)] })),
  );
  for (let number = 0; number < channels; number++) await mkdir(join(folder, `room-${number}`));
  for (let file = 0; file * messagesOfDay < count; file++) {
    const day = Math.floor(file / channels);
    const start = 1_600_000_000 + day * 86_400;
    const messages = Array.from({ length: messagesOfDay }, (_none, number) => {
      const text = `Message ${number} for <@${userId(number + 7)}>: the build of <https://example.com/b/${number}|${number}> is done &amp; green, nothing to do today.`;
      return {
        client_msg_id: `6d3f5d5e-0000-4000-8000-${String(number).padStart(12, '0')}`,
        type: 'message',
        text:
          number % 4 === 0
            ? text
            : `Message ${number}: nothing to see here, go on with what you were doing before lunch.`,
        user: userId(number),
        ts: `${start + number * 60}.${String(file % 1000).padStart(3, '0')}${String(number % 1000).padStart(3, '0')}`,
        team: 'T00000001',
        ...(number % 5 === 0 ? { thread_ts: `${start}.000100` } : {}),
        ...(number % 10 === 0 ? { reactions: [{ name: '+1', users: [userId(1), userId(2)], count: 2 }] } : {}),
        blocks: [
          {
            type: 'rich_text',
            block_id: 'b1',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
          },
        ],
      };
    });
    const date = new Date(start * 1000).toISOString().slice(0, 10);
    await write(`room-${file % channels}/${date}.json`, messages);
  }
  return bytes;
}
