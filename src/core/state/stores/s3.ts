// Stores objects in a bucket of S3, or of a store with its API: MinIO, Ceph, R2, versitygw.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { S3Client } from '@aws-sdk/client-s3';
import { stores } from '../../model/stores/places.ts';
import { type ObjectBucket, uploadTimeoutMs } from '../engine/bucket.ts';
import { type ObjectStore, type StoreAddress, StoreFailure } from '../engine/store.ts';
import { type ObjectAddress, parseObjectAddress, type VariableReader } from './address.ts';
import { ageOf, callTimeoutMs, connectTimeoutMs, eachOf, loadPackage, sender, type VendorAnswer } from './sdk.ts';

const { parameters } = stores.s3;
const rights =
  'The identity needs s3:GetObject, s3:PutObject and s3:DeleteObject on the objects under the prefix, and s3:ListBucket on the bucket.';

export function s3Address(spec: string, variable: VariableReader): StoreAddress {
  const address = parseObjectAddress(spec, parameters);
  return { name: address.name, connect: () => s3Store(address, variable) };
}

/** Makes a bucket for files. `spec` is an address as for a state. */
export async function s3Bucket(spec: string, variable: VariableReader): Promise<ObjectBucket> {
  const address = parseObjectAddress(spec, parameters);
  const { sdk, client } = await s3Client(address, variable, uploadTimeoutMs);
  const at = (key: string) => ({ Bucket: address.bucket, Key: `${address.prefix}${key}` });
  const send = sender(answerIn, { rights, bucket: 'bucket' });
  const withMd5 = md5OnDemand();
  return {
    sizeOf: async (key) =>
      (await send(() => client.send(new sdk.HeadObjectCommand(at(key))), ['NoSuchKey', 'NotFound']))?.ContentLength,
    upload: async (key, file, size, type) => {
      const typed = type === undefined ? {} : { ContentType: type };
      await withMd5(
        (md5) => {
          const content = { ...at(key), Body: createReadStream(file), ContentLength: size };
          return send(() => client.send(new sdk.PutObjectCommand({ ...content, ...typed, ...md5 })));
        },
        () => createReadStream(file),
      );
    },
    close: async () => client.destroy(),
  };
}

/** Credentials and region come from the usual chain: environment, profile, web identity in CI, the machine's role. */
async function s3Client({ parameters }: ObjectAddress, variable: VariableReader, timeoutMs: number) {
  // The package prints eight lines about an older Node on every command. Its own variable turns them off.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const sdk = await loadPackage('s3', () => import('@aws-sdk/client-s3'));
  const endpoint = parameters.get('endpoint');
  const profile = parameters.get('profile');
  const region = parameters.get('region') ?? variable('AWS_REGION') ?? variable('AWS_DEFAULT_REGION');
  const client = new sdk.S3Client({
    // The engine retries calls itself, and can resolve lost answers.
    maxAttempts: 1,
    // Otherwise the package would write its own remarks to the terminal.
    logger: { debug: ignored, info: ignored, warn: ignored, error: ignored },
    requestHandler: {
      requestTimeout: timeoutMs,
      connectionTimeout: connectTimeoutMs,
      // Otherwise the package only warns about a server that never answers.
      throwOnRequestTimeout: true,
    },
    ...(profile === undefined ? {} : { profile }),
    ...(endpoint === undefined
      ? { ...(region === undefined ? {} : { region }) }
      : {
          endpoint,
          region: region ?? 'us-east-1',
          forcePathStyle: true,
          // Other stores do not support the newer checksums.
          requestChecksumCalculation: 'WHEN_REQUIRED' as const,
          responseChecksumValidation: 'WHEN_REQUIRED' as const,
        }),
  });
  return { sdk, client };
}

async function s3Store(address: ObjectAddress, variable: VariableReader): Promise<ObjectStore> {
  const { bucket, prefix } = address;
  const { sdk, client } = await s3Client(address, variable, callTimeoutMs);
  const dates = datesOf(client);
  const at = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });
  const send = sender(answerIn, { rights, bucket: 'bucket' });
  const withMd5 = md5OnDemand();
  const put = async (key: string, bytes: Uint8Array, condition: { IfNoneMatch: '*' } | { IfMatch: string }) => {
    const content = { ...at(key), Body: bytes, ContentLength: bytes.length, ...condition };
    const done = await withMd5(
      (md5) => send(() => client.send(new sdk.PutObjectCommand({ ...content, ...md5 })), notMet),
      () => [bytes],
    );
    return done === undefined ? undefined : (done.ETag ?? '');
  };
  const removeEach = (keys: readonly string[]) =>
    eachOf(keys, removedAtOnce, async (key) => {
      await send(() => client.send(new sdk.DeleteObjectCommand(at(key))));
    });
  let removesTogether = true;
  return {
    get: async (key) => {
      const read = await send(async () => {
        const found = await client.send(new sdk.GetObjectCommand(at(key)));
        return { found, bytes: Buffer.from((await found.Body?.transformToByteArray()) ?? []) };
      }, ['NoSuchKey', 'NotFound']);
      if (read === undefined) return undefined;
      const { found, bytes } = read;
      const ageMs = ageOf(found.LastModified?.getTime(), dates.get(found.$metadata));
      return { bytes, tag: found.ETag ?? '', ageMs };
    },
    create: (key, bytes) => put(key, bytes, { IfNoneMatch: '*' }),
    replace: (key, bytes, tag) => put(key, bytes, { IfMatch: tag }),
    list: async (under) => {
      const keys: string[] = [];
      for (let from: string | undefined, isMore = true; isMore; ) {
        const command = new sdk.ListObjectsV2Command({
          Bucket: bucket,
          Prefix: `${prefix}${under}`,
          ContinuationToken: from,
        });
        const page = await send(() => client.send(command));
        for (const { Key } of page?.Contents ?? []) if (Key !== undefined) keys.push(Key.slice(prefix.length));
        from = page?.NextContinuationToken;
        isMore = page?.IsTruncated === true && from !== undefined;
      }
      return keys.sort();
    },
    remove: async (keys) => {
      if (keys.length < 2 || !removesTogether) return removeEach(keys);
      const Objects = keys.map((key) => ({ Key: `${prefix}${key}` }));
      const together = new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
      try {
        await send(() => client.send(together));
      } catch (error) {
        // Some stores have no such call, or refuse the checksum that the package adds to it.
        if (!(error instanceof StoreFailure) || error.call.kind !== 'refused') throw error;
        await removeEach(keys);
        removesTogether = false;
      }
    },
    close: async () => client.destroy(),
  };
}

function ignored(): void {}

/** Answers to a write whose condition is not met. Some stores answer 304, which is meant for reads. */
const notMet = ['PreconditionFailed', '412', 'NoSuchKey', 304];
const removedAtOnce = 8;

interface Md5 {
  readonly ContentMD5?: string;
}

/**
 * Sends writes without an MD5, and with one as soon as the store demands it: a bucket with Object Lock refuses writes without a
 * checksum, other stores refuse the newer checksums. `contentOf` returns the content of the write.
 */
function md5OnDemand() {
  let isDemanded = false;
  return async <T>(
    write: (md5: Md5) => Promise<T>,
    contentOf: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<T> => {
    const withMd5 = async () => write({ ContentMD5: await md5Of(contentOf()) });
    if (isDemanded) return withMd5();
    try {
      return await write({});
    } catch (error) {
      if (!(error instanceof StoreFailure) || !/Content-MD5|x-amz-checksum/iu.test(error.call.what)) throw error;
      const done = await withMd5();
      isDemanded = true;
      return done;
    }
  };
}

async function md5Of(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('md5');
  for await (const piece of content) hash.update(piece);
  return hash.digest('base64');
}

/** Returns the dates of answers, which are times of the store's clock, by their metadata. */
function datesOf(client: S3Client): WeakMap<object, number> {
  const dates = new WeakMap<object, number>();
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { readonly headers?: Readonly<Record<string, string>> };
      dates.set(result.output?.$metadata ?? {}, Date.parse(headers?.date ?? ''));
      return result;
    },
    { step: 'deserialize', priority: 'high', name: 'chatformDate' },
  );
  return dates;
}

function answerIn(error: unknown): VendorAnswer {
  const { name, message, $metadata } = error as Error & {
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  // An answer without a body has the name "412", or "Unknown".
  const code =
    status === 412
      ? 'PreconditionFailed'
      : 'code' in (error as object)
        ? String((error as { code?: unknown }).code ?? name)
        : name;
  return { status, code: /^[\w.-]{1,60}$/u.test(code) ? code : name, message };
}
