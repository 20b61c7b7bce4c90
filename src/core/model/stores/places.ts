// Where states and copies of files are kept: the one list of stores, and what a place means in every option.
export interface StoreForm {
  /** As it is written. */
  readonly form: string;
  readonly isBucket: boolean;
  /** The parameters that the place of a bucket may have. */
  readonly parameters: readonly string[];
  /** The packages of the client, as npm install takes them. Empty if none is needed. */
  readonly packages: string;
  /** What limits the rights of whoever opens it. */
  readonly access: 'role' | 'key';
}

/** By scheme. A state can be in each of them, and copies of files in a folder or a bucket. */
export const stores = {
  file: { form: 'file:DIR', isBucket: false, parameters: [], packages: '', access: 'role' },
  postgres: { form: 'postgres://USER@HOST/DATABASE', isBucket: false, parameters: [], packages: 'pg', access: 'role' },
  postgresql: {
    form: 'postgresql://USER@HOST/DATABASE',
    isBucket: false,
    parameters: [],
    packages: 'pg',
    access: 'role',
  },
  s3: {
    form: 's3://BUCKET/PREFIX',
    isBucket: true,
    parameters: ['endpoint', 'profile', 'region', 'tls'],
    packages: '@aws-sdk/client-s3',
    access: 'key',
  },
  azblob: {
    form: 'azblob://CONTAINER/PREFIX',
    isBucket: true,
    parameters: ['account', 'endpoint', 'tls'],
    packages: '@azure/storage-blob @azure/identity',
    access: 'key',
  },
  gs: {
    form: 'gs://BUCKET/PREFIX',
    isBucket: true,
    parameters: ['endpoint', 'project', 'tls'],
    packages: '@google-cloud/storage',
    access: 'key',
  },
} as const satisfies Readonly<Record<string, StoreForm>>;

export type StoreScheme = keyof typeof stores;
export type BucketScheme = {
  [Scheme in StoreScheme]: (typeof stores)[Scheme]['isBucket'] extends true ? Scheme : never;
}[StoreScheme];

const [file, ...servers] = formsOf(({ isBucket }) => !isBucket);
const buckets = formsOf(({ isBucket }) => isBucket);

/** `file:DIR, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, … or gs://BUCKET/PREFIX`. */
export const stateForms = listed([file ?? '', ...servers, ...buckets]);
/** `DIR or file:DIR`, and the buckets. */
export const copyForms = listed(['a folder', ...buckets]);

/** The other spelling of PostgreSQL is not listed. */
function formsOf(isListed: (store: StoreForm) => boolean): string[] {
  return Object.entries<StoreForm>(stores).flatMap(([scheme, store]) =>
    isListed(store) && scheme !== 'postgresql' ? [store.form] : [],
  );
}

function listed(forms: readonly string[]): string {
  return `${forms.slice(0, -1).join(', ')} or ${forms.at(-1) ?? ''}`;
}

/** The store of a place, by its scheme alone. Undefined for a path, and for a scheme that is not exactly that of a store. */
export function storeOf(place: string): { readonly scheme: StoreScheme; readonly store: StoreForm } | undefined {
  const scheme = /^([a-z0-9]+):/u.exec(place)?.[1] ?? '';
  return isScheme(scheme) ? { scheme, store: stores[scheme] } : undefined;
}

export function isScheme(scheme: string): scheme is StoreScheme {
  return Object.hasOwn(stores, scheme);
}

/** The parts of the place of a bucket, undecoded. Undefined if it has another form, such as one with credentials. */
export function bucketParts(place: string) {
  const [, scheme, bucket, path = '', query = ''] =
    /^([a-z0-9]+):\/\/([^/?#@:]+)(\/[^?#]*)?(?:\?([^#]*))?$/u.exec(place) ?? [];
  if (scheme === undefined || bucket === undefined) return undefined;
  return { scheme, bucket, path, parameters: new Map(new URLSearchParams(query)) };
}

/** Whether the place is in a bucket: `s3://BUCKET/PREFIX`. */
export function isBucketPlace(place: string): boolean {
  return storeOf(place)?.store.isBucket === true && place.includes('://');
}
