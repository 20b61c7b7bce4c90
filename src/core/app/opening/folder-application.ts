// What the manifests in the working folder say about the application and the place of its state, for use cases that need no more.

import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { type Application, resolveApplication } from '../context/application.ts';
import { withDeclaredState } from '../context/open-state.ts';
import type { ApplicationOverrides, Ports, StateOptions } from '../context/ports.ts';
import { invalidManifests } from '../context/refusals.ts';
import { loadDeclared } from './load-declared.ts';

/** The application of the manifests in the working folder. Refused (65) when an error hides it and, with `isToWrite`, for any error. */
export async function declaredApplication(ports: Ports, isToWrite = false): Promise<LoadedManifest['application']> {
  const { application, diagnostics } = await loadDeclared([], ports, { isForApplication: !isToWrite });
  const errors = diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'manifest.no-manifests');
  if ((isToWrite || application === undefined) && errors.length > 0) throw invalidManifests(diagnostics);
  return application;
}

/**
 * The application of `baseUrl`, or of the manifests in the working folder, for use cases that write to it. Refused (65) for invalid
 * manifests.
 */
export async function applicationToWrite(options: ApplicationOverrides, ports: Ports): Promise<Application> {
  const declared = options.baseUrl === undefined ? await declaredApplication(ports, true) : undefined;
  return resolveApplication(options, ports, declared);
}

/**
 * The identity of the application of `baseUrl`, or of the manifests in the working folder, and the options with the place of its
 * state.
 */
export async function applicationMeant<Options extends ApplicationOverrides & StateOptions>(
  options: Options,
  ports: Ports,
): Promise<{ readonly application: string; readonly placed: Options }> {
  const declared = options.baseUrl === undefined ? await declaredApplication(ports) : undefined;
  const application = resolveApplication(options, ports, declared).identity;
  return { application, placed: await withStateOfFolder(options, ports) };
}

/** The options with the place that the manifests in the working folder declare. Other problems of the manifests do not matter. */
export async function withStateOfFolder<Options extends StateOptions>(
  options: Options,
  ports: Ports,
): Promise<Options> {
  if (options.state !== undefined) return options;
  const { statePlace, diagnostics } = await loadDeclared([], ports, { isForSettings: true });
  const refused = diagnostics.filter(({ code }) => code === 'manifest.state-place');
  if (refused.length > 0) throw invalidManifests(refused);
  return withDeclaredState(options, statePlace, ports);
}
