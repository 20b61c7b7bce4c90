// Stores objects in a container of Azure Blob Storage.
import type { ContainerClient } from '@azure/storage-blob';
import { stores } from '../../model/stores/places.ts';
import { type ObjectBucket, uploadTimeoutMs } from '../engine/bucket.ts';
import type { ObjectStore, StoreAddress } from '../engine/store.ts';
import { type ObjectAddress, parseObjectAddress, usage, type VariableReader } from './address.ts';
import { ageOf, callTimeoutMs, eachOf, loadPackage, sender, type VendorAnswer } from './sdk.ts';

const { parameters } = stores.azblob;
const rights = 'The identity needs the role Storage Blob Data Contributor on the container.';
const removedAtOnce = 8;

export function azureAddress(spec: string, variable: VariableReader): StoreAddress {
  const address = parseObjectAddress(spec, parameters);
  return { name: address.name, connect: () => azureStore(address, variable) };
}

/** Makes a bucket for files. `spec` is an address as for a state. */
export async function azureBucket(spec: string, variable: VariableReader): Promise<ObjectBucket> {
  const address = parseObjectAddress(spec, parameters);
  const container = await containerClient(address, variable);
  const at = (key: string) => container.getBlockBlobClient(`${address.prefix}${key}`);
  const send = sender(answerIn, { rights, bucket: 'container' });
  return {
    sizeOf: async (key) => {
      const found = await send(() => at(key).getProperties({ abortSignal: AbortSignal.timeout(callTimeoutMs) }), [404]);
      return found?.contentLength;
    },
    upload: async (key, file, _size, type) => {
      const typed = type === undefined ? {} : { blobHTTPHeaders: { blobContentType: type } };
      const abortSignal = AbortSignal.timeout(uploadTimeoutMs);
      await send(() => at(key).uploadFile(file, { ...typed, abortSignal }));
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Credentials are a connection string, an account key or a SAS token in the environment, else those that DefaultAzureCredential
 * finds: variables of a service principal, federated identity in CI, a managed identity, the command line's login.
 */
async function azureStore(address: ObjectAddress, variable: VariableReader): Promise<ObjectStore> {
  const container = await containerClient(address, variable);
  const { prefix } = address;
  const at = (key: string) => container.getBlockBlobClient(`${prefix}${key}`);
  const timed = () => ({ abortSignal: AbortSignal.timeout(callTimeoutMs) });
  const send = sender(answerIn, { rights, bucket: 'container' });
  const put = async (key: string, bytes: Uint8Array, conditions: { ifNoneMatch: '*' } | { ifMatch: string }) => {
    const body = Buffer.from(bytes);
    const done = await send(
      () => at(key).upload(body, body.length, { conditions, ...timed() }),
      ['BlobAlreadyExists', 'ConditionNotMet', 'BlobNotFound'],
    );
    return done === undefined ? undefined : (done.etag ?? '');
  };
  return {
    get: async (key) =>
      send(async () => {
        const found = await at(key).download(0, undefined, { ...timed(), maxRetryRequests: 0 });
        const parts: Buffer[] = [];
        for await (const part of found.readableStreamBody ?? []) parts.push(Buffer.from(part));
        const ageMs = ageOf(found.lastModified?.getTime(), found.date?.getTime());
        return { bytes: Buffer.concat(parts), tag: found.etag ?? '', ageMs };
      }, ['BlobNotFound']),
    create: (key, bytes) => put(key, bytes, { ifNoneMatch: '*' }),
    replace: (key, bytes, tag) => put(key, bytes, { ifMatch: tag }),
    list: async (under) => {
      const keys: string[] = [];
      await send(async () => {
        for await (const { name } of container.listBlobsFlat({ prefix: `${prefix}${under}`, ...timed() }))
          keys.push(name.slice(prefix.length));
      });
      return keys.sort();
    },
    remove: (keys) =>
      eachOf(keys, removedAtOnce, async (key) => {
        await send(() => at(key).deleteIfExists(timed()));
      }),
    close: () => Promise.resolve(),
  };
}

async function containerClient(
  { bucket, parameters }: ObjectAddress,
  variable: VariableReader,
): Promise<ContainerClient> {
  const sdk = await loadPackage('azblob', () => import('@azure/storage-blob'));
  // The engine retries calls itself, and can resolve lost answers.
  const options = { retryOptions: { maxTries: 1 } };
  const account = parameters.get('account') ?? variable('AZURE_STORAGE_ACCOUNT');
  const endpoint = parameters.get('endpoint');
  const connection = variable('AZURE_STORAGE_CONNECTION_STRING');
  if (connection !== undefined && endpoint === undefined && parameters.get('account') === undefined)
    return sdk.BlobServiceClient.fromConnectionString(connection, options).getContainerClient(bucket);
  if (account === undefined) {
    throw usage(
      'azblob',
      'names no account',
      'Write azblob://CONTAINER/PREFIX?account=NAME, or set AZURE_STORAGE_ACCOUNT or AZURE_STORAGE_CONNECTION_STRING.',
    );
  }
  const url = endpoint ?? `https://${account}.blob.core.windows.net`;
  const key = variable('AZURE_STORAGE_KEY');
  const sas = variable('AZURE_STORAGE_SAS_TOKEN')?.replace(/^\?/u, '');
  if (key !== undefined) {
    const credential = new sdk.StorageSharedKeyCredential(account, key);
    return new sdk.BlobServiceClient(url, credential, options).getContainerClient(bucket);
  }
  if (sas !== undefined)
    return new sdk.BlobServiceClient(`${url}?${sas}`, undefined, options).getContainerClient(bucket);
  const { DefaultAzureCredential } = await loadPackage('azblob', () => import('@azure/identity'));
  return new sdk.BlobServiceClient(url, new DefaultAzureCredential(), options).getContainerClient(bucket);
}

function answerIn(error: unknown): VendorAnswer {
  const { name, message, statusCode, code, details } = error as Error & {
    readonly statusCode?: number;
    readonly code?: string;
    readonly details?: { readonly errorCode?: string };
  };
  const [first = ''] = message.split('\n');
  return { status: statusCode, code: code ?? details?.errorCode ?? name, message: first };
}
