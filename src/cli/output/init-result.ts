// Shows what init found and wrote, and what people have to do by hand.

import { relative } from 'node:path';
import type { ExportDocument } from '../../core/model/documents.ts';
import { storeOf } from '../../core/model/stores/places.ts';
import { exportDocument } from '../../core/view/json/results.ts';
import { safe } from '../../core/view/text/text.ts';
import { ownName } from '../../lib/own-names.ts';
import { pathArgument, shellWord } from '../../lib/tools/pasted-words.ts';
import { listOf, plural } from '../../lib/words.ts';
import type { InitializedFolder, InitializeOptions } from '../../tools/init/init.ts';
import type { ApplicationSurvey } from '../../tools/init/survey.ts';
import { version } from '../../version.ts';

export function* surveyForPeople(survey: ApplicationSurvey | undefined): Generator<string> {
  if (survey === undefined) {
    yield 'No API token is set (CHATFORM_API_TOKEN or --api-token-file), so the application was not read.\n';
    return;
  }
  for (const { severity, detail } of survey.remarks) yield `${severity === 'warning' ? '! ' : ''}${safe(detail)}\n`;
  const counts = survey.counts.map(({ title, count, isMore }) => `${isMore ? 'at least ' : ''}${plural(count, title)}`);
  const { notOffered } = survey;
  const none = notOffered.length === 0 ? 'nothing' : 'nothing that it lists';
  yield `${safe(survey.application)} contains ${counts.length === 0 ? none : listOf(counts)}.\n`;
  if (notOffered.length > 0)
    yield `Not counted, because the platform does not offer this read: ${listOf(notOffered)}.\n`;
}

export interface InitializedDocument extends Pick<InitializedFolder, 'folder' | 'files' | 'environments' | 'branch'> {
  readonly installed: boolean;
  /** Whether package.json names a git address, which npm ci --ignore-scripts does not build. */
  readonly installed_from_git: boolean;
  readonly exported?: ExportDocument;
}

export function initializedDocument({
  folder,
  files,
  isInstalled,
  isFromGit,
  exported,
  environments,
  branch,
}: InitializedFolder): InitializedDocument {
  return {
    folder,
    files,
    installed: isInstalled,
    installed_from_git: isFromGit,
    environments,
    branch,
    ...(exported === undefined ? {} : { exported: exportDocument(exported) }),
  };
}

export function* initializedForPeople(
  done: InitializedFolder,
  options: InitializeOptions,
  cwd: string,
): Generator<string> {
  const { folder, files, isInstalled, isFromGit, packageFolder, exported, program } = done;
  for (const { name, what, why } of files) {
    yield `  ${what.padEnd(9)} ${safe(name)}${why === undefined ? '' : `  (${safe(why)})`}\n`;
  }
  if (exported !== undefined) {
    yield `\nThe state ${safe(exported.state ?? '')} contains what was exported, so the next plan is empty.\n`;
    if (exported.leftOut.length > 0)
      yield `${plural(exported.leftOut.length, 'part')} could not be declared: see left-out.txt beside the manifests.\n`;
    if (exported.hosts.length > 0)
      yield `The exported bots and webhooks call hosts that must be trusted before a plan. Set CHATFORM_ALLOWED_HOSTS=${safe(exported.hosts.join(','))}\n`;
  }
  if (isFromGit) {
    yield `
! package.json takes chatform from a git address. The workflows run npm ci without scripts, which does not build it,
  so they would end with "chatform: not found". Install a tarball from npm pack, or a package of your own registry.
`;
  }
  yield '\nNext:\n';
  if (!isInstalled) {
    yield* change(cwd, packageFolder);
    yield `  npm install --save-dev ./chatform-${version}.tgz
                         made by npm pack, or a package of your own registry. Do not take it by its bare name,
                         nor from a git address, which the workflows do not build. Commit the tarball,
                         package.json and its lock file, because the workflows run npm ci.
`;
  }
  yield* change(isInstalled ? cwd : packageFolder, folder);
  yield* stateToSet(options);
  yield `  ${program} validate      check the manifests
  ${program} plan          show what would happen
  ${program} apply         change the platform
`;
  if (
    options.baseUrl === undefined &&
    files.some(({ name, what }) => what === 'written' && name.endsWith(ownName('manifest')))
  ) {
    yield `
The manifest points to the built-in emulator. For your application, set application.base_url to
https://api-APP_ID.sendbird.com/v3 and set CHATFORM_API_TOKEN.
`;
  }
  yield* leftToDo(done, options);
}

function* change(from: string, to: string): Generator<string> {
  const path = relative(from, to);
  if (path !== '') yield `  cd ${shellWord(pathArgument(path))}\n`;
}

/** The place is not printed, because it may contain a password. */
function* stateToSet({ state }: InitializeOptions): Generator<string> {
  if (state === undefined) return;
  yield '  set CHATFORM_STATE to the place that you gave as --state\n';
  const needed = storeOf(state)?.store.packages ?? '';
  if (needed !== '') yield `  npm install --save-dev ${needed}\n`;
}

function* leftToDo(
  { environments, exported, branch }: InitializedFolder,
  { state, pipeline }: InitializeOptions,
): Generator<string> {
  if (environments.length === 0) return;
  const [kind, request] = pipeline === 'github' ? ['secret', 'pull request'] : ['variable', 'merge request'];
  yield `
To do by hand before the first run of the workflows:
  on the branch ${safe(branch)}
    chatform in package.json and the lock file: the check of a ${request} runs that one, and fails without it
  for all applications
    ${kind} CHATFORM_STATE_READ   the state, ${rightsOf(state)} that can only read
${pipeline === 'github' ? '                               a secret of the repository: whoever may push a branch can read it' : '                               masked and not protected: merge requests get no protected variables'}
    variable CHATFORM_REDACT${pipeline === 'github' ? '     ' : '       '}optional: true hides names and texts in comments, summaries, pages and reports
`;
  const hosts = exported?.hosts ?? [];
  yield `    variable CHATFORM_ALLOWED_HOSTS   ${hosts.length === 0 ? 'if bots or webhooks are declared: the hosts that they call' : `${safe(hosts.join(','))}: bots and webhooks call these hosts`}
    variable ${pipeline === 'github' ? 'CHATFORM_APP_ID    ' : 'CHATFORM_VAR_APP_ID'}     if base_url has \${APP_ID}: the id of the application
`;
  if (pipeline === 'gitlab')
    yield '    variable CHATFORM_NOTE_TOKEN     masked, not protected: a project token with the scope "api" that writes the note\n';
  for (const { apply, drift } of environments) {
    yield `  environment ${apply}
    protection: required reviewers, only the branch ${safe(branch)}
    ${kind} CHATFORM_STATE        the state, ${rightsOf(state)} that can write
    ${kind} CHATFORM_API_TOKEN    the token of the application
    ${kind} KEEP_TOKENS           if users or new bots get tokens: a command that stores them from its input
${pipeline === 'github' ? '    secret NOTIFY_WEBHOOK        optional: a URL to call when an apply fails\n' : ''}  environment ${drift}
    protection: only the branch ${safe(branch)}, no reviewers
    ${kind} CHATFORM_API_TOKEN    another token, to be revoked on its own
`;
  }
  yield `A missing environment is created without protection, so set them up first: examples/ci/README.md in the package says how.
`;
  if (state === undefined || storeOf(state)?.scheme === 'file')
    yield 'In CI a folder is discarded after the run, so the workflows need a database or a bucket: src/core/state/README.md compares them.\n';
}

function rightsOf(state: string | undefined): string {
  return `with a ${storeOf(state ?? '')?.store.access ?? 'role'}`;
}
