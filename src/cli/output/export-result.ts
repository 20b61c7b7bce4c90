// Shows what export has written.
import { join } from 'node:path';
import type { Exported } from '../../core/model/report.ts';
import { safe } from '../../core/view/text/text.ts';
import { chatformCommand, pathArgument } from '../../lib/tools/pasted-words.ts';
import { listOf, plural } from '../../lib/words.ts';
import { leftOutFile } from '../../tools/live-import/export/files.ts';
import { otherManager } from './other-manager.ts';

const maxShown = 20;
const inNoExport =
  'The platform does not show these, so no export has them: tokens, devices, push settings, what each member has read, who pinned, and the content of files (their URLs are kept).';

interface ExportPlace {
  readonly out: string;
  readonly excluded?: readonly string[] | undefined;
  /** The value of `--state`. */
  readonly state: string | undefined;
}

/** `out` is the folder and `place` the state as the user wrote them. */
export function* exportedForPeople(
  exported: Exported,
  { out, excluded = [], state: place }: ExportPlace,
): Generator<string> {
  const { files, counts, messages, leftOut, hosts, requests, state } = exported;
  for (const note of leftOut.slice(0, maxShown)) yield `! ${safe(note)}\n`;
  if (leftOut.length > 0) {
    const more = leftOut.length > maxShown ? `${plural(leftOut.length - maxShown, 'more part')}. ` : '';
    yield `${more}Everything that could not be declared is listed in ${safe(join(out, leftOutFile))}.\n`;
  }
  const held = counts.filter(({ count }) => count > 0).map(({ count, title }) => plural(count, title));
  if (messages > 0) held.push(plural(messages, 'message'));
  const { selected } = exported;
  const emptiness = excluded.length > 0 ? '--exclude leaves out every object' : 'the application is empty';
  const nothing = selected === undefined ? emptiness : 'nothing was to be added';
  const what = held.length === 0 ? nothing : listOf(held);
  if (hosts.length > 0) {
    yield `The exported bots and webhooks call hosts that must be trusted before a plan. Set CHATFORM_ALLOWED_HOSTS=${safe(hosts.join(','))}\n`;
  }
  yield `Wrote ${plural(files.length, 'file')} to ${safe(out)}: ${what}. ${plural(requests, 'request')}.\n`;
  if (messages > 0) yield `${inNoExport}\n`;
  if (selected !== undefined) {
    yield* selectedForPeople(selected, state, inPlan(out, place, state));
    return;
  }
  yield state === undefined
    ? 'No state was written.\n'
    : `The state ${safe(state)} contains all of it, so this plan is empty: ${inPlan(out, place, state)}\n`;
}

function inPlan(out: string, place: string | undefined, state = ''): string {
  return chatformCommand('plan', pathArgument(out), ...(place === undefined ? [] : ['--state', state]));
}

function* selectedForPeople(
  { adopted, managed }: NonNullable<Exported['selected']>,
  state: string | undefined,
  plan: string,
): Generator<string> {
  if (adopted > 0) yield `Took ${plural(adopted, 'declared object')} into state that the platform has as declared.\n`;
  if (managed > 0) yield `${plural(managed, 'selected object')} ${managed === 1 ? 'was' : 'were'} managed already.\n`;
  yield state === undefined
    ? 'No state was written.\n'
    : `The state ${safe(state)} contains what was added, so it adds nothing to a plan: ${plan}\n${otherManager}\n`;
}
