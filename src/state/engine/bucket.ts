// Files in a bucket that people read, as copies of attachments: what the stores' packages can do beside keeping state.

/** One attempt a call. Keys are relative to the address. Rejects with a StoreFailure. */
export interface Bucket {
  /** In bytes; undefined when there is no such object. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Uploads a file of this many bytes as a stream; the object appears whole or not at all. `type`: its media type. */
  upload(key: string, file: string, size: number, type: string | undefined): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds for one upload. */
export const uploadTimeoutMs = 30 * 60_000;
