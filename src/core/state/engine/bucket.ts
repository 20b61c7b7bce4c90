// Stores files in a bucket for people, such as copies of attachments. It uses the packages of the stores.

/** Each call makes one attempt. Keys are relative to the address. Rejects with a StoreFailure. */
export interface ObjectBucket {
  /** Returns the size in bytes, or undefined if there is no such object. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Uploads a file of this many bytes as a stream. The object appears whole or not at all. `type` is its media type. */
  upload(key: string, file: string, size: number, type: string | undefined): Promise<void>;
  close(): Promise<void>;
}

/** The maximum duration of one upload, in milliseconds. */
export const uploadTimeoutMs = 30 * 60_000;
