// Who ran a command, for the audit trail and for reports.

/** Identified by the variables of the CI system, else by user and host. */
export interface Actor {
  readonly user: string;
  readonly host: string;
  readonly repository?: string;
  readonly job?: string;
  readonly commit?: string;
  readonly ref?: string;
}
