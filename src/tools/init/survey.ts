// Reads what an application contains, before a project begins with it. Nothing is written.

import { hasToken, resolveApplication } from '../../core/app/context/application.ts';
import { connectToRead } from '../../core/app/context/connect.ts';
import type { ApplicationOverrides, Ports } from '../../core/app/context/ports.ts';
import { checkOnline } from '../../core/app/validate/online-checks.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { limitsOf } from '../../core/platform/limits.ts';
import { isEssential, isUnavailable, listAnswers } from '../../core/refresh/listing.ts';
import { pageSize } from '../../core/refresh/pages.ts';
import { registry } from '../../core/resources/index.ts';

export interface ApplicationSurvey {
  readonly application: string;
  /** Notes on the token and the rate plan. */
  readonly remarks: readonly Diagnostic[];
  /** The kinds that exist. */
  readonly counts: readonly SurveyedKind[];
  /** The titles of kinds that the platform does not offer to list. */
  readonly notOffered: readonly string[];
}

interface SurveyedKind {
  readonly title: string;
  readonly count: number;
  /** Whether there are more than were counted. */
  readonly isMore: boolean;
}

/** The platform has no counts, so objects are counted by listing them, a hundred for a request. */
const maxPages = 10;

/** Undefined without a token. Refused when the token is refused (3) or the application is unreachable (1). */
export async function surveyApplication(
  options: ApplicationOverrides,
  ports: Ports,
): Promise<ApplicationSurvey | undefined> {
  const application = resolveApplication(options, ports, undefined);
  if (application.target.type === 'server' && !hasToken(application, ports)) return undefined;
  const { platform, reader, close } = await connectToRead(application, ports);
  try {
    const remarks = await checkOnline({
      platform,
      clock: ports.clock,
      limits: limitsOf(application.rates),
      application: application.identity,
      ratePlan: application.rates.ratePlan,
      declaresInvitations: false,
      declaresMessages: false,
      resources: [],
    });
    const counts: SurveyedKind[] = [];
    const notOffered: string[] = [];
    for (const kind of registry) {
      let [count, pages] = [0, 0];
      try {
        for await (const page of listAnswers(kind, reader)) {
          count += page.length;
          pages += 1;
          if (pages === maxPages) break;
        }
      } catch (error) {
        if (isEssential(kind, undefined) || !isUnavailable(error)) throw error;
        notOffered.push(kind.title);
      }
      if (count > 0) counts.push({ title: kind.title, count, isMore: count === maxPages * Number(pageSize) });
    }
    reader.demandUninterrupted();
    return { application: application.identity, remarks, counts, notOffered };
  } finally {
    await close();
  }
}
