// Measures `verify --all`: archives compared with channels of a platform that serves them by a formula.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { installInto } from '../support/build.ts';
import { writeLines } from './many-users.ts';
import { inFolder, measureProgram } from './measure.ts';
import { type Row, rounded } from './table.ts';

const channels = 20;
const start = 1_500_000_000_000;
/** The same token on both sides, in the form of the platform's. */
const token = 'bench0123456789abcdef0123456789abcdef0123';

export async function benchVerify(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [100_000, 1_000_000].filter((size) => size <= most)) {
    const row = await inFolder(async (folder) => {
      await installInto(folder);
      const server = await servedArchives(count / channels);
      try {
        await writeEstate(folder, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`, count / channels);
        const verify = ['verify', '--all', 'm.yaml'];
        const env = { ...process.env, CHATFORM_API_TOKEN: token };
        return await measureProgram(folder, [join(folder, 'dist/cli/main.js'), ...verify], env);
      } finally {
        server.close();
      }
    });
    rows.push({
      messages: count,
      s: rounded(row.s, 1),
      'processor s': rounded(row.cpuS, 1),
      'peak MB': rounded(row.rssMb, 0),
    });
  }
  return rows;
}

/** As a conversion leaves them. Limits are raised, so that the comparison is measured and not the pace. */
export async function writeEstate(folder: string, baseUrl: string, perChannel: number): Promise<void> {
  await mkdir(join(folder, 'history'));
  await writeFile(
    join(folder, 'm.yaml'),
    `version: 1
application: { base_url: '${baseUrl}', rate_plan: 25k_mau, limits: { GET: 5000 } }
users: { alice: { nickname: A, profile_url: '' }, bob: { nickname: B, profile_url: '' } }
sources: [{ kind: group_channel, file: rooms.ndjson }, { kind: messages, file: "history/{channel_url}.ndjson" }]
`,
  );
  const names = Array.from({ length: channels }, (_none, place) => `room-${place}`);
  await writeFile(
    join(folder, 'rooms.ndjson'),
    names.map((name) => `${JSON.stringify({ channel_url: name, members: { alice: {}, bob: {} } })}\n`).join(''),
  );
  for (const name of names) {
    await writeLines(join(folder, 'history', `${name}.ndjson`), perChannel, (place) => {
      const { user_id, message, created_at: timestamp, data } = messageAt(name, place);
      return `${JSON.stringify({ timestamp, message_type: 'MESG', user_id, message, data })}\n`;
    });
  }
}

function messageAt(channel: string, place: number) {
  const text = `Message ${place} of ${channel}, which is about as long as messages in support rooms mostly are.`;
  const thread = `${start + place - (place % 10)}.000100`;
  return {
    user_id: place % 2 === 0 ? 'alice' : 'bob',
    message: text,
    created_at: start + place * 1000,
    data: JSON.stringify({ chatform: 1, id: `slack:${channel}:${place}`, text: `*${text}*`, thread }),
  };
}

/** Serves the number and the list of messages of each channel. */
export async function servedArchives(perChannel: number): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    const channel = /\/(room-\d+)\//u.exec(url.pathname)?.[1] ?? '';
    response.setHeader('content-type', 'application/json');
    if (url.pathname.endsWith('/total_count')) {
      response.end(JSON.stringify({ total: perChannel }));
      return;
    }
    const from = Math.max(0, Math.ceil((Number(url.searchParams.get('message_ts')) - start) / 1000));
    const messages = Array.from({ length: Math.max(0, Math.min(200, perChannel - from)) }, (_none, place) => {
      const { user_id, ...shown } = messageAt(channel, from + place);
      const user = { user_id, nickname: user_id, profile_url: '', require_auth_for_profile_image: false, metadata: {} };
      return { message_id: from + place + 1, type: 'MESG', user, ...shown, custom_type: '', is_removed: false };
    });
    response.end(JSON.stringify({ messages }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
