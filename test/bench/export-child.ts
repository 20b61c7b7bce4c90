// One export of very many users over HTTP: `client PORT FOLDER` measures itself, `server USERS` is the platform, in a
// process of its own so that the memory is the client's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { nodeEnvironment } from '../../src/cli/process/environment.ts';
import { keyOf } from '../../src/model/address.ts';
import { recordAt } from './many-users.ts';
import { printCost } from './measure.ts';

const [role, first = '', folder = ''] = process.argv.slice(2);
if (role === 'server') serve(Number(first));
else await printCost(() => exportInto(folder, Number(first)));

async function exportInto(cwd: string, port: number): Promise<void> {
  const silent = { write: () => {}, isTerminal: false, width: 80 };
  const url = `http://127.0.0.1:${port}/v3`;
  const exit = await runCommandLine({
    ...nodeEnvironment(),
    args: ['export', '--out', 'estate', '--base-url', url, '--rate-plan', '100k_mau', '--state', 'file:state'],
    env: { CHATFORM_API_TOKEN: 'token' },
    cwd,
    stdout: silent,
    stderr: { ...silent, write: (text: string) => void process.stderr.write(text) },
  });
  if (exit !== 0) throw new Error(`the export ended with ${exit}`);
}

/** Every other list of the application is empty. */
const nothing = { channels: [], channel_custom_type_settings: [], next: '' };

/** Lists users in an order that is not that of their ids. */
function serve(count: number): void {
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const field = pathname.slice(pathname.lastIndexOf('/') + 1);
    const from = Number(searchParams.get('token') ?? 0);
    const places = Array.from({ length: Math.min(100, count - from) }, (_none, at) => ((from + at) * 7919) % count);
    const next = from + places.length < count ? String(from + places.length) : '';
    const isOfUsers = field === 'users';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isOfUsers ? { users: places.map(userAt), next } : { [field]: [], ...nothing }));
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}

/** As the platform shows it (platform §4.2). */
function userAt(place: number): object {
  const { address, attributes } = recordAt(place);
  return {
    user_id: keyOf(address),
    ...attributes,
    require_auth_for_profile_image: false,
    preferred_languages: [],
    is_online: false,
    last_seen_at: -1,
    has_ever_logged_in: false,
    is_active: true,
    created_at: 1_700_000_000,
  };
}
