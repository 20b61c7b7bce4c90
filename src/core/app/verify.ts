// Verifies that declared history files are on the platform.
import type { MigrationReport } from '../model/migration-report.ts';
import { resolveApplication } from './context/application.ts';
import { whileReading } from './context/connect.ts';
import type { ApplicationOverrides, Ports } from './context/ports.ts';
import { loadValid } from './opening/load-declared.ts';
import { verifyDeclared } from './verification/history-files.ts';

export interface VerifyMessagesOptions extends ApplicationOverrides {
  readonly paths: readonly string[];
  /** Compares every message. By default, channels whose count matches are only sampled. */
  readonly isWhole?: boolean | undefined;
  /** Also checks whether the declared members of group channels see the messages. */
  readonly asMember?: boolean | undefined;
}

/**
 * Changes nothing. The report lists missing, duplicated and changed messages; its `exit_code` is 4 if there are any, or if a
 * member does not see some.
 */
export async function verifyMessages(options: VerifyMessagesOptions, ports: Ports): Promise<MigrationReport> {
  const { paths, isWhole = false, asMember = false } = options;
  const manifest = await loadValid(paths, ports);
  const application = resolveApplication(options, ports, manifest.application);
  return whileReading(application, ports, (connection) =>
    verifyDeclared(
      manifest.resources,
      { application, ...connection },
      { isWhole, asMember, policy: manifest.policy.messages },
      ports,
    ),
  );
}
