// Stores objects in a bucket of Google Cloud Storage.
import type { ApiError, Bucket } from '@google-cloud/storage';
import { stores } from '../../model/stores/places.ts';
import { type ObjectBucket as FileBucket, uploadTimeoutMs } from '../engine/bucket.ts';
import type { ObjectStore, StoreAddress, StoredObject } from '../engine/store.ts';
import { type ObjectAddress, parseObjectAddress } from './address.ts';
import { ageOf, callTimeoutMs, eachOf, loadPackage, sender, type VendorAnswer } from './sdk.ts';

const { parameters } = stores.gs;
const rights = 'The identity needs the role Storage Object User (roles/storage.objectUser) on the bucket.';
const removedAtOnce = 8;

export function googleAddress(spec: string): StoreAddress {
  const address = parseObjectAddress(spec, parameters);
  return { name: address.name, connect: () => googleStore(address) };
}

/** Makes a bucket for files. `spec` is an address as for a state. */
export async function googleBucket(spec: string): Promise<FileBucket> {
  const address = parseObjectAddress(spec, parameters);
  const bucket = await bucketOf(address, uploadTimeoutMs);
  const send = sender(answerIn, { rights, bucket: 'bucket' });
  return {
    sizeOf: async (key) => {
      const found = await send(() => bucket.file(`${address.prefix}${key}`).getMetadata(), [404]);
      return found === undefined ? undefined : Number(found[0].size);
    },
    upload: async (key, file, _size, type) => {
      const typed = type === undefined ? {} : { contentType: type };
      const destination = `${address.prefix}${key}`;
      await send(() => bucket.upload(file, { destination, resumable: false, ...typed }));
    },
    close: () => Promise.resolve(),
  };
}

/** Credentials are those that google-auth-library finds: GOOGLE_APPLICATION_CREDENTIALS, federated identity in CI, the machine's account. */
async function bucketOf({ bucket: name, parameters }: ObjectAddress, timeout: number): Promise<Bucket> {
  const { Storage } = await loadPackage('gs', () => import('@google-cloud/storage'));
  const endpoint = parameters.get('endpoint');
  const project = parameters.get('project');
  const storage = new Storage({
    // The engine retries calls itself, and can resolve lost answers.
    retryOptions: { autoRetry: false },
    timeout,
    ...(endpoint === undefined ? {} : { apiEndpoint: endpoint }),
    ...(project === undefined ? {} : { projectId: project }),
  });
  return storage.bucket(name);
}

async function googleStore(address: ObjectAddress): Promise<ObjectStore> {
  const { prefix } = address;
  const bucket = await bucketOf(address, callTimeoutMs);
  const send = sender(answerIn, { rights, bucket: 'bucket' });
  const put = (key: string, bytes: Uint8Array, generation: string) =>
    send(async () => {
      const file = bucket.file(`${prefix}${key}`);
      const ifGenerationMatch = generation === '0' ? 0 : generation;
      await file.save(Buffer.from(bytes), { resumable: false, preconditionOpts: { ifGenerationMatch } });
      return String(file.metadata.generation);
    }, [412, 404]);
  return {
    get: (key) => send(() => download(bucket, `${prefix}${key}`), [404]),
    create: (key, bytes) => put(key, bytes, '0'),
    // A generation is a number. Any other tag never existed.
    replace: (key, bytes, tag) => (/^[1-9]\d*$/u.test(tag) ? put(key, bytes, tag) : Promise.resolve(undefined)),
    list: async (under) => {
      const found = await send(() => bucket.getFiles({ prefix: `${prefix}${under}` }));
      return (found?.[0] ?? []).map((file) => file.name.slice(prefix.length)).sort();
    },
    remove: (keys) =>
      eachOf(keys, removedAtOnce, async (key) => {
        await send(() => bucket.file(`${prefix}${key}`).delete(), [404]);
      }),
    close: () => Promise.resolve(),
  };
}

/** Returns the bytes with the generation and the clock of the store, from one answer. */
function download(bucket: Bucket, key: string): Promise<StoredObject> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let headers: Readonly<Record<string, string | undefined>> = {};
    bucket
      .file(key)
      .createReadStream({ decompress: false, validation: false })
      .on('error', reject)
      .on('response', (response: { readonly headers: typeof headers }) => {
        ({ headers } = response);
      })
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () =>
        resolve({
          bytes: Buffer.concat(parts),
          tag: headers['x-goog-generation'] ?? '',
          ageMs: ageOf(Date.parse(headers['last-modified'] ?? ''), Date.parse(headers.date ?? '')),
        }),
      );
  });
}

function answerIn(error: unknown): VendorAnswer {
  const { name, message, code, errors } = error as ApiError;
  const status = typeof code === 'number' ? code : undefined;
  return { status, code: errors?.[0]?.reason ?? (status === undefined ? String(code ?? name) : name), message };
}
