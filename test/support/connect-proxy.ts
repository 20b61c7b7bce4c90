// Support: a proxy on loopback that opens tunnels, and a platform behind TLS to which it leads them.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export interface ConnectProxy {
  /** With its port. */
  readonly host: string;
  /** The request line of each request, and its Proxy-Authorization. */
  readonly seen: readonly (readonly [line: string, authorization: string | undefined])[];
}

async function listening(server: Server): Promise<string> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** `leadsTo` is where every tunnel ends, whatever host it is for. A number is the status of a refusal, `silence` no answer. */
export async function connectProxy(
  leadsTo: string | number | 'silence',
  certificate?: Certificate,
): Promise<ConnectProxy> {
  const seen: [string, string | undefined][] = [];
  const server = certificate === undefined ? createServer() : createTlsServer(certificate);
  const note = (method: string | undefined, url: string | undefined, authorization: string | undefined) =>
    void seen.push([`${method} ${url}`, authorization]);
  server.on('request', ({ method, url, headers }, response) => {
    note(method, url, headers['proxy-authorization']);
    response.writeHead(400).end();
  });
  server.on('connect', ({ method, url, headers }, client: Socket, head: Buffer) => {
    note(method, url, headers['proxy-authorization']);
    client.on('error', () => {});
    if (leadsTo === 'silence') return;
    if (typeof leadsTo === 'number') {
      client.end(`HTTP/1.1 ${leadsTo} No\r\nContent-Length: 9\r\n\r\n<html>No.`);
      return;
    }
    const { hostname, port } = new URL(`http://${leadsTo}`);
    const behind = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      behind.write(head);
      behind.pipe(client).pipe(behind);
    });
    behind.on('error', () => client.destroy());
  });
  return { host: await listening(server), seen };
}

export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** The path of `cert`, for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
}

/** A certificate that signs itself. */
export async function certificateFor(...names: readonly string[]): Promise<Certificate> {
  const cwd = await temporaryFolder();
  const alternatives = names.map((name) => `${/^[\d.]+$/u.test(name) ? 'IP' : 'DNS'}:${name}`).join(',');
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=chatform test', '-addext', `subjectAltName=${alternatives}`],
      ...['-keyout', 'key.pem', '-out', 'cert.pem'],
    ],
    { cwd, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const file = join(cwd, 'cert.pem');
  return { key: await readFile(join(cwd, 'key.pem')), cert: await readFile(file), file };
}

/** Answers by TLS as the server at `url` does. Returns the host with its port. */
export function tlsBefore(url: string, certificate: Certificate): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createTlsServer(certificate, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const inner = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(inner);
  });
  return listening(server);
}
