// The options that several use cases share.

/** Flags beat the manifest. */
export interface ApplicationOptions {
  /** Trusted, unlike the base URL of a manifest: the token goes there. */
  readonly baseUrl?: string | undefined;
  readonly ratePlan?: string | undefined;
  /** Default: the token in CHATFORM_API_TOKEN. */
  readonly apiTokenFile?: string | undefined;
}

export interface StateOptions {
  /** `file:DIR` or `postgres://…`. Default: `file:.chatform/state`. */
  readonly state?: string | undefined;
  /** How long a write waits for a state database that is away. */
  readonly statePatienceMs?: number | undefined;
}

export interface LockOptions extends StateOptions {
  /** How long to wait for a lock that somebody else holds. Default: 0. */
  readonly lockTimeoutMs?: number | undefined;
}

/** How a plan of manifests is carried out. */
export interface RunOptions {
  /** Counts from the call, with everything that is read and waited for. */
  readonly maxDurationMs?: number | undefined;
  /** Goes on after many failures. */
  readonly keepGoing?: boolean | undefined;
}
