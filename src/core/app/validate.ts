// Validates manifests offline, and asks the application whether it is ready for them.
import { isObject, type JsonValue } from '../../lib/json.ts';
import type { LoadedManifest } from '../manifest/passes/loaded-manifest.ts';
import { kindOf } from '../model/address.ts';
import { adjusted, type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { Validated } from '../model/report.ts';
import type { ApplicationOverrides, Ports } from './context/ports.ts';
import { loadDeclared } from './opening/load-declared.ts';
import { undecidedProblems } from './opening/undecided.ts';

export interface ValidateManifestsOptions extends ApplicationOverrides {
  readonly paths: readonly string[];
  /** Whether to check the application by reads if the manifests have no error. */
  readonly online?: boolean | undefined;
}

/** Returns problems in the result. With `online`, refused when the token is refused (3) or the application is unreachable (1). */
export async function validateManifests(options: ValidateManifestsOptions, ports: Ports): Promise<Validated> {
  const manifest = await loadDeclared(options.paths, ports);
  const { resources, files, policy, statePlace } = manifest;
  const isValid = !hasErrors(manifest.diagnostics);
  const openQuestions = await undecidedProblems(manifest, ports.clock.date().getTime());
  const answers = options.online === true && isValid ? await askApplication(manifest, options, ports) : [];
  const diagnostics = [...manifest.diagnostics, ...adjusted([...openQuestions, ...answers], policy.diagnostics)];
  return {
    isValid: !hasErrors(diagnostics),
    diagnostics,
    objects: resources.length,
    files: files.map(({ file }) => file),
    ...(statePlace === undefined ? {} : { state: statePlace.place }),
  };
}

async function askApplication(
  manifest: LoadedManifest,
  options: ValidateManifestsOptions,
  ports: Ports,
): Promise<Diagnostic[]> {
  const [{ checkOnline }, { openApplication }, { connect }, { limitsOf }] = await Promise.all([
    import('./validate/online-checks.ts'),
    import('./context/open-application.ts'),
    import('./context/connect.ts'),
    import('../platform/limits.ts'),
  ]);
  const application = await openApplication(options, ports, manifest.application, options.paths);
  const connection = await connect(application, ports);
  try {
    return await checkOnline({
      platform: connection.platform,
      clock: ports.clock,
      limits: limitsOf(application.rates),
      application: application.identity,
      ratePlan: application.rates.ratePlan,
      ...whatIsDeclared(manifest),
      resources: manifest.resources,
      behaviours: application.decided,
      history: manifest.policy.history,
    });
  } finally {
    await connection.close();
  }
}

function whatIsDeclared({ resources }: LoadedManifest): { declaresInvitations: boolean; declaresMessages: boolean } {
  let declaresInvitations = false;
  let declaresMessages = false;
  for (const resource of resources) {
    const kind = kindOf(resource.address);
    if (kind === 'messages') declaresMessages = true;
    // Only the attributes of group channels are read: there may be a million users.
    const { members } = kind === 'group_channel' ? resource.attributes : {};
    if (isObject(members)) declaresInvitations ||= Object.values(members).some(isInvited);
    if (declaresInvitations && declaresMessages) break;
  }
  return { declaresInvitations, declaresMessages };
}

function isInvited(membership: JsonValue): boolean {
  return isObject(membership) && String(membership.invitation_status ?? '').startsWith('invited');
}
