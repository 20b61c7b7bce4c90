// Support: a small S3 in memory that keeps conditions, and deviates from S3 in one way.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Returns the refusal of a request, or undefined to serve it. */
export type Deviation = (request: IncomingMessage, isBulkDelete: boolean) => Refused | undefined;

export interface OddServer {
  readonly spec: string;
  /** The method of each request, with `POST` for a deletion of many objects. */
  readonly methods: readonly string[];
  readonly keys: () => readonly string[];
  stop(): Promise<void>;
}

export async function startOddS3(deviation: Deviation, notMet = 412): Promise<OddServer> {
  const objects = new Map<string, Buffer>();
  const methods: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    const isBulkDelete = request.method === 'POST' && searchParams.has('delete');
    methods.push(request.method ?? '');
    const body = await buffer(request);
    const answer = (status: number, content: string | Buffer = '', headers: Record<string, string> = {}) => {
      const sizes = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(content)) };
      response.writeHead(status, { 'content-type': 'application/xml', ...sizes, ...headers }).end(content);
    };
    const refuse = ({ status, code, message }: Refused) =>
      answer(status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
    const refused = deviation(request, isBulkDelete);
    if (refused !== undefined) return refuse(refused);
    if (!pathname.startsWith('/bucket/') && pathname !== '/bucket')
      return refuse({ status: 404, code: 'NoSuchBucket', message: 'no such bucket' });
    const found = objects.get(key);
    if (request.method === 'PUT') {
      const isMet =
        (request.headers['if-none-match'] === undefined || found === undefined) &&
        (request.headers['if-match'] === undefined ||
          (found !== undefined && request.headers['if-match'] === tagOf(found)));
      if (!isMet) return refuse({ status: notMet, code: 'PreconditionFailed', message: 'not met' });
      objects.set(key, body);
      return answer(200, '', { etag: tagOf(body) });
    }
    if (isBulkDelete) {
      for (const [, name = ''] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/gu)) objects.delete(name);
      return answer(200, '<DeleteResult/>');
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return answer(204);
    }
    if (searchParams.has('list-type')) {
      const prefix = searchParams.get('prefix') ?? '';
      const listed = [...objects.keys()].filter((name) => name.startsWith(prefix)).sort();
      const contents = listed.map((name) => `<Contents><Key>${name}</Key></Contents>`).join('');
      return answer(200, `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`);
    }
    if (found === undefined) return refuse({ status: 404, code: 'NoSuchKey', message: 'no such key' });
    return answer(200, found, { etag: tagOf(found), 'last-modified': new Date().toUTCString() });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    spec: `s3://bucket/prefix?endpoint=http://127.0.0.1:${port}`,
    methods,
    keys: () => [...objects.keys()],
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}
