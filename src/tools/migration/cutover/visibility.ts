// Asks the platform whether people will see the history. Nothing else of the cutover needs the platform.

import { hasToken } from '../../../app/context/application.ts';
import { connectToRead } from '../../../app/context/connect.ts';
import type { Ports } from '../../../app/context/ports.ts';
import { checkVisibility, notKnown } from '../../../app/plans/history-visibility.ts';
import { Refusal } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';
import type { CutoverCheck } from '../../../model/migration/cutover.ts';
import type { ReadFacts } from './facts.ts';

/** Warnings. Without a token or an answer, one of them says that this is not known. Refused (8) after an interrupt. */
export async function visibilityChecks({ platform, resources }: ReadFacts, ports: Ports): Promise<CutoverCheck[]> {
  const findings = await findingsFor();
  return findings.map((finding) => ({ ...finding, blocks: 'warning' }));

  async function findingsFor() {
    const check = { resources, now: ports.clock.date() };
    if (platform.target.type !== 'emulator' && !hasToken(platform, ports))
      return notKnown(check, 'no API token is set');
    try {
      const { reader, close } = await connectToRead(platform, ports);
      try {
        return await checkVisibility(check, (request) => reader.send(request));
      } finally {
        await close();
      }
    } catch (error) {
      if (!(error instanceof Refusal) || error.exitCode === exitCode.interrupted) throw error;
      return notKnown(check, error.message);
    }
  }
}
