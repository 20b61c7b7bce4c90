// Tests connections through a proxy: which hosts need it, what it is told, and what is said when it fails.
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import { openPlatform } from '../../../src/core/platform/client.ts';
import { connectorIn } from '../../../src/core/platform/proxy-variables.ts';
import { isDirect } from '../../../src/core/platform/tunnel.ts';
import { certificateFor, connectProxy, hasOpenssl, tlsBefore } from '../../support/connect-proxy.ts';
import { countConnections } from '../../support/connections.ts';
import { startPlatform } from '../../support/platform.ts';
import { spawnCli } from '../../support/spawn-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const vendor = 'api-abc.sendbird.com';

test.for<[host: string, port: number, noProxy: string, isDirect: boolean]>([
  [vendor, 443, '', false],
  ['localhost', 443, '', true],
  ['dev.localhost', 443, '', true],
  ['127.0.0.1', 8080, '', true],
  ['127.9.9.9', 443, '', true],
  ['::1', 443, '', true],
  ['127.example.com', 443, '', false],
  [vendor, 443, '*', true],
  [vendor, 443, vendor, true],
  [vendor, 443, 'API-ABC.Sendbird.COM', true],
  [`${vendor}.`, 443, vendor, true],
  [vendor, 443, 'sendbird.com', true],
  [vendor, 443, '.sendbird.com', true],
  [vendor, 443, '*.sendbird.com', true],
  [vendor, 443, 'bird.com', false],
  ['sendbird.com.evil.example', 443, 'sendbird.com', false],
  [vendor, 443, 'intern.example, sendbird.com', true],
  [vendor, 443, 'intern.example\tsendbird.com', true],
  [vendor, 443, ' , ,', false],
  [vendor, 443, 'sendbird.com:443', true],
  [vendor, 8443, 'sendbird.com:443', false],
  ['10.0.0.7', 443, '10.0.0.7', true],
  ['10.0.0.7', 443, '10.0.0.7:8443', false],
  ['10.0.0.7', 443, '10.0.0.0/8', false],
  ['fd00::7', 443, 'fd00::7', true],
  ['fd00::7', 443, '[fd00::7]', true],
  ['fd00::7', 443, '[fd00::7]:443', true],
  ['fd00::7', 443, '[fd00::7]:8443', false],
  ['fd00::7', 443, 'FD00:0::7', true],
  ['10.1.2.3', 443, '2.3', false],
])('%s at port %i with NO_PROXY "%s"', ([hostname, port, noProxy, expected]) => {
  expect(isDirect({ hostname, port }, noProxy)).toBe(expected);
});

describe('the variable', () => {
  test.for<[env: Readonly<Record<string, string>>, says: string]>([
    [{ HTTPS_PROXY: 'socks5://proxy.example' }, 'HTTPS_PROXY names a proxy by socks5://'],
    [{ https_proxy: 'http://' }, 'https_proxy is not the URL of a proxy'],
    [{ HTTP_PROXY: 'http://bob:p%zz@proxy.example' }, 'in HTTP_PROXY is not percent-encoded'],
    [{ HTTPS_PROXY: 'http://bob:hush:hush@proxy example' }, 'HTTPS_PROXY is not the URL of a proxy'],
  ])('%o is refused without its value', async ([env, says]) => {
    const refused = await connectorIn(env, 100).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'usage', exitCode: 64, message: expect.stringContaining(says) });
    expect(String(refused)).not.toMatch(/hush|p%zz/u);
  });

  test('does not matter for a platform that needs no proxy', async () => {
    const env = { HTTPS_PROXY: 'socks5://proxy.example', NO_PROXY: '.intern.example' };
    for (const url of ['http://127.0.0.1:80/v3', 'http://[::1]:80/v3', 'https://api.intern.example/v3'])
      expect(await connectorIn(env, 100, new URL(url))).toBeUndefined();
  });

  test('NO_PROXY is read if no_proxy is empty', async () => {
    const env = { HTTPS_PROXY: 'http://proxy.example', no_proxy: '', NO_PROXY: vendor };
    expect(await connectorIn(env, 100, new URL(`https://${vendor}/v3`))).toBeUndefined();
  });

  test('is needed for the code of tunnels', async () => {
    expect(
      await connectorIn({ HTTPS_PROXY: '', NO_PROXY: 'x', ALL_PROXY: 'http://proxy.example' }, 100),
    ).toBeUndefined();
  });
});

async function answerThrough(env: Readonly<Record<string, string>>, url = `https://${vendor}/v3`) {
  const platform = openPlatform({
    baseUrl: url,
    token: 'token',
    clock: nodeClock,
    variables: () => undefined,
    readFile: async () => new Uint8Array(),
    listToSend: async () => [],
    connector: await connectorIn(env, 300),
  });
  const answer = await platform.send({ method: 'GET', route: '/users' });
  await platform.close();
  return answer;
}

describe('a failure names the proxy without its password', () => {
  test.for<[leadsTo: number | 'silence' | 'nobody' | 'no proxy', says: RegExp]>([
    [407, /^the proxy http:\/\/[\d.:]+ \(https_proxy\) refuses the user name or the password in https_proxy \(407\)$/u],
    [403, /^the proxy .* refuses a connection to api-abc\.sendbird\.com:443 \(403\); ask who runs the proxy/u],
    [502, /\(502\)/u],
    ['silence', /^the proxy .* did not answer within 1 s$/u],
    [
      'nobody',
      /^no connection to the proxy .*: ECONNREFUSED; check the variable, or name api-abc\.sendbird\.com in NO_PROXY/u,
    ],
  ])('%s', async ([leadsTo, says]) => {
    const host = leadsTo === 'nobody' ? '127.0.0.1:9' : (await connectProxy(leadsTo as number | 'silence')).host;
    const answer = await answerThrough({ https_proxy: `http://bob:hush@${host}`, HTTPS_PROXY: 'http://other.example' });
    expect(answer).toMatchObject({ type: 'unsent', message: expect.stringMatching(says) });
    expect(JSON.stringify(answer)).not.toMatch(/hush|bob/u);
  });

  test('and asks for credentials where there are none', async () => {
    const { host, seen } = await connectProxy(407);
    const answer = await answerThrough({ HTTPS_PROXY: host });
    expect(answer).toMatchObject({ message: expect.stringContaining('asks for a user name and a password (407)') });
    expect(seen).toEqual([[`CONNECT ${vendor}:443`, undefined]]);
  });
});

test('a tunnel that ends before TLS is ready sent nothing', async () => {
  const { port } = await countConnections();
  const { host } = await connectProxy(`127.0.0.1:${port}`);
  const message = expect.stringContaining('lost the connection to api-abc.sendbird.com:443');
  expect(await answerThrough({ HTTPS_PROXY: `http://bob:hush@${host}` })).toMatchObject({ type: 'unsent', message });
});

test('a platform on this machine is reached without the proxy', async () => {
  const { host, seen } = await connectProxy(403);
  const { url } = await startPlatform();
  const answer = await answerThrough({ HTTPS_PROXY: `http://${host}`, HTTP_PROXY: `http://${host}` }, url);
  expect(answer).toMatchObject({ type: 'refused', code: 400401 });
  expect(seen).toEqual([]);
});

test.skipIf(!hasOpenssl).for(['http', 'https'])('a refresh and an apply go through an %s proxy', async (scheme) => {
  const emulator = await startPlatform();
  const certificate = await certificateFor(vendor, '127.0.0.1');
  const { host, seen } = await connectProxy(
    await tlsBefore(emulator.url, certificate),
    scheme === 'https' ? certificate : undefined,
  );
  const cwd = await temporaryFolder({
    'chat.yaml': `version: 1\napplication: { base_url: "https://${vendor}/v3" }\nusers: { ann: { nickname: Ann } }\n`,
  });
  const env = {
    HTTPS_PROXY: `${scheme}://bob:hu%40sh@${host}`,
    NODE_EXTRA_CA_CERTS: certificate.file,
    CHATFORM_API_TOKEN: emulator.token,
  };
  const { exit, stderr } = await spawnCli(['apply', '--refresh', '--auto-approve', '--verbose'], { cwd, env }).ended;
  expect(exit, stderr).toBe(0);
  expect(emulator.stats.requests.get('POST /users')).toBe(1);
  const authorization = `Basic ${Buffer.from('bob:hu@sh').toString('base64')}`;
  for (const request of seen) expect(request).toEqual([`CONNECT ${vendor}:443`, authorization]);
  expect(seen.length).toBeGreaterThan(0);
  expect(stderr).toContain(`, proxy ${scheme}://${host}\n`);
  expect(stderr).not.toMatch(/hu%40sh|hu@sh|bob/u);
});

test.skipIf(!hasOpenssl)('a certificate that a proxy puts in place says what to do', async () => {
  const certificate = await certificateFor('other.example');
  const { host } = await connectProxy(await tlsBefore('http://127.0.0.1:9', certificate));
  const message = expect.stringMatching(/^no connection: \w*SIGNED_CERT|ALTNAME/u);
  expect(await answerThrough({ HTTPS_PROXY: host })).toMatchObject({ type: 'unsent', message });
});
