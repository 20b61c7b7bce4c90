// Measures `verify --all`: history files compared with channels of a platform that serves them by a formula.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeHistoryFiles } from './history-files.ts';
import { columns, inInstalled, measureProgram, type Row } from './measure.ts';

const channels = 20;
const start = 1_500_000_000_000;
/** The same token on both sides, in the form of the platform's. */
const token = 'bench0123456789abcdef0123456789abcdef0123';

export function benchVerify(most: number): Promise<Row[]> {
  return inInstalled(async (folder, main) => {
    const rows: Row[] = [];
    for (const count of [100_000, 1_000_000].filter((size) => size <= most)) {
      const server = await servedHistoryFiles(count / channels);
      try {
        const estate = `${folder}/${count}`;
        await writeEstate(estate, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`, count / channels);
        const env = { ...process.env, CHATFORM_API_TOKEN: token };
        rows.push({
          messages: count,
          ...columns(await measureProgram(estate, [main, 'verify', '--all', 'm.yaml'], { env })),
        });
      } finally {
        server.close();
      }
    }
    return rows;
  });
}

/** As a conversion leaves them. Limits are raised, so that the comparison is measured and not the pace. */
export function writeEstate(folder: string, baseUrl: string, perChannel: number): Promise<void> {
  const application = `{ base_url: '${baseUrl}', rate_plan: 25k_mau, limits: { GET: 5000 } }`;
  return writeHistoryFiles(folder, application, { channels, perChannel }, (channel, place) => {
    const { user_id, message, created_at: timestamp, data } = messageAt(channel, place);
    return { timestamp, message_type: 'MESG', user_id, message, data };
  });
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
export async function servedHistoryFiles(perChannel: number): Promise<Server> {
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
