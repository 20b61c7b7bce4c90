// The words of the problems that the planner finds, as diagnostics show them (schema/diagnostics.md).

import { adoptCommand, chatformCommand, onlyAddress, yamlWord } from '../../../lib/tools/pasted-words.ts';
import { plural, printNumber, withMore } from '../../../lib/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { channelsOfUser } from '../../model/limits.ts';
import { tokensNote } from '../../model/plan.ts';
import { printPosition } from '../../model/source.ts';
import type {
  AcknowledgementFault,
  NeededAcknowledgement,
  PlanProblem,
  PlanWords,
  ShrunkFile,
} from '../../model/statements/problems.ts';
import { endedEntry, noteWords } from './notes.ts';

type Words = Pick<Diagnostic, 'summary' | 'detail'>;
type Problem<Code extends PlanProblem['code']> = PlanProblem & { readonly code: Code };

/** The words of plans. Applications pass them to the planner. */
export const planWords: PlanWords = {
  ...noteWords,
  problem: problemInWords,
};

const historyChanges = {
  edited: () => 'edited',
  absent: () => 'not there',
  unread: (user: string) => `not read by ${user}`,
};

function problemInWords(problem: PlanProblem): Words {
  switch (problem.code) {
    case 'plan.create-only': {
      const { attribute, was } = problem;
      return {
        summary: 'This attribute is fixed at creation',
        detail:
          was === undefined
            ? `The object already exists, and the platform sets ${attribute} only at creation. Remove the line, or declare a new object under a new key.`
            : `${attribute} was ${JSON.stringify(was)} when the object was created, and the platform cannot change it. Set it back to ${JSON.stringify(was)}, or declare a new object under a new key.`,
      };
    }
    case 'plan.one-way':
      return {
        summary: 'This attribute cannot go back',
        detail: `${problem.attribute} is true, and the platform cannot change it back to false. Set it back to true, or declare a new object under a new key.`,
      };
    case 'plan.other-kind':
      return otherKind(problem);
    case 'plan.ended':
      return {
        summary: 'A declared entry has ended',
        detail:
          problem.key === ''
            ? `${problem.attribute} ends at ${problem.until}, which is past, so the platform refuses it. Set a later end, or remove the line.`
            : endedEntry(problem),
      };
    case 'plan.impossible-removal':
      return {
        summary: 'This kind cannot be removed this way',
        detail: `on_remove is ${problem.removal}, which is not possible for a ${problem.title}. Write one of ${problem.possible.join(', ')}.`,
      };
    case 'plan.part-in-doubt':
      return {
        summary: 'State contains a part of an object but not the object',
        detail: `${problem.address} was applied, but the object that it belongs to is not in state. Plan with --refresh to find out whether that object exists. If it does not, chatform sends this again.`,
      };
    case 'plan.no-room':
      return {
        summary: 'The platform has no room for what is declared',
        detail: `${problem.declared} ${problem.attribute} are declared and others added ${problem.unmanaged} more, but the platform allows only ${problem.room} and will refuse this object. Declare fewer, or remove some of the others first.`,
      };
    case 'plan.exists':
      return { summary: 'The object already exists but is not in state', detail: existing(problem) };
    case 'plan.removed-unknown':
      return {
        summary: 'A removed object is not in state',
        detail: `${problem.address} is listed under removed, but it is not in state, so nothing is done. You can delete the entry.`,
      };
    case 'plan.not-compared':
      if (problem.of === 'not_offered')
        return {
          summary: 'The platform does not offer a read',
          detail: `${problem.what} of ${plural(problem.count, 'object')} was not read, because the platform does not offer this read: the feature is not in the application's plan, is switched off, or the route is unknown. The plan uses the values in state instead.`,
        };
      return {
        summary: 'An attribute was not compared with the platform',
        detail: `${problem.attribute} of ${plural(problem.count, 'object')} was not read, because each value costs a separate request. The values in state were used instead. Set policy.read_each to at least ${problem.total} to compare them.`,
      };
    case 'plan.not-shown':
      return {
        summary: 'The platform does not show an object',
        detail: `${problem.address} is deactivated on the platform, which refuses to show it by itself, and no list can be asked for an id with a comma. The rest was not compared: the values in state were used.`,
      };
    case 'plan.unhidden':
      return {
        summary: 'A member has another hidden status than declared',
        detail: `${plural(problem.ids.length + problem.more, 'member')} ${problem.ids.length + problem.more === 1 ? 'has' : 'have'} another hidden status than declared: ${withMore(problem.ids, problem.more)}. Users and messages change it, and an apply leaves it.`,
      };
    case 'plan.history-changed': {
      const { changed, more } = problem;
      const channels = changed.map(({ channel, how, user = '' }) => `${channel} (${historyChanges[how](user)})`);
      return {
        summary: 'Others changed what was sent of a history file',
        detail: `The last sent message of a history file is not as it was sent: ${withMore(channels, more)}. An apply leaves it, unless the plan sends, edits or deletes it. ${chatformCommand('verify')} compares every message.`,
      };
    }
    case 'plan.undeclared': {
      const { ids, more, attribute, title, isList } = problem;
      return {
        summary: 'A value that decides what people can do is not declared',
        detail: `${attribute} of ${plural(ids.length + more, title)} has ${isList ? 'entries' : 'a value'} on the platform that nobody declares: ${withMore(ids, more)}. An apply leaves ${isList ? 'them' : 'it'}. Declare ${attribute} to manage it.`,
      };
    }
    case tokensNote:
      return {
        summary: 'Tokens are issued',
        detail: `${plural(problem.count, 'token is', 'tokens are')} issued. Token values go only to the file given with --tokens-out, and apply is refused without it.`,
      };
    case 'plan.not-checked': {
      const { named, count } = problem;
      return {
        summary: 'Exclusive lists were not checked',
        detail: `${withMore(named, count - named.length)} ${count === 1 ? 'declares' : 'declare'} exclusive members or operators, but the live lists were not read, so undeclared entries stay. Plan with --refresh to remove them.`,
      };
    }
    case 'plan.repair':
      return {
        summary: 'The plan is a repair',
        detail:
          'The plan only takes back changes by others that are no danger. The drift lists what it leaves, and why. Changes of the manifests that are not applied yet are not in it.',
      };
    case 'plan.left-out':
      return leftOut(problem);
    case 'plan.partial':
      return partial(problem);
    case 'safety.protected':
      return {
        summary: 'A protected object may not be removed',
        detail: `${problem.address} was last applied with lifecycle: {protect: true}, but the plan would remove it. Keep it declared. To remove it, first apply protect: false, then remove it in a second change.`,
      };
    case 'safety.reopen':
      return {
        summary: 'A disabled object would have to be reopened',
        detail: problem.isUnread
          ? `State says that ${problem.address} is ${problem.attribute}, and its lifecycle ignores changes of that, so others may have changed it. Plan with --refresh to read it (with --target, name it as well), or leave out the change.`
          : `${problem.address} is ${problem.attribute}, and the platform refuses the planned calls while it is. Allow chatform to reopen it temporarily with policy: {reopen: {${problem.attribute}: allow}}, or leave out the change.`,
      };
    case 'safety.over-budget':
      return overBudget(problem);
    case 'safety.lockout': {
      const { total } = problem;
      return {
        summary: 'Callers of the API could be locked out',
        detail: `The plan begins, shortens or empties the list of addresses from which the API can be called (${total} ${total === 1 ? 'entry' : 'entries'}). While the list has an entry, the platform refuses everybody else: servers, CI, and chatform itself, which could not take the change back. Check that the list contains the address from which the platform sees this machine and each of your servers. If all of its entries are removed, check that nobody else has added entries, because those stay. ${faultsInWords(problem)}If so, acknowledge the change in the reviewed diff: ${advice(problem)}.`,
      };
    }
    case 'safety.whole-kind':
      return wholeKind(problem);
    case 'safety.spent': {
      const { effect, count } = problem;
      return {
        summary: 'An acknowledgement is spent',
        detail: `The plan contains no ${effect} that acknowledge: {effect: ${effect}, count: ${count}} is for. If that is done, delete the entry. If you meant another effect, correct it.`,
      };
    }
    case 'safety.notify':
      return tooManyNotified(problem);
    case 'bot.ai-not-writable':
      return {
        summary: 'The application does not take ai from a call',
        detail: `${problem.address} declares ai, but by its behaviours the application only shows it. Set it in the dashboard, and declare the values that the platform shows, or none.`,
      };
    case 'messages.reply-times':
      return replyTimes(problem);
    case 'user.data-requests':
      return dataRequests(problem);
    case 'safety.input-shrank':
      return inputShrank(problem);
    case 'user.too-many-channels':
      return tooManyChannels(problem);
  }
}

function dataRequests({ isKnown }: Problem<'user.data-requests'>): Words {
  if (isKnown) {
    return {
      summary: 'The application has no data requests',
      detail:
        'By its behaviours, the application refuses the calls that on_remove: erase needs. Ask the vendor for data requests, or remove the user with on_remove: delete.',
    };
  }
  return {
    summary: 'The application may have no data requests',
    detail: `No document says which applications have the data requests that on_remove: erase needs. Without them, the apply refuses the erasure and registers nothing. Run ${chatformCommand('calibrate')} on a test application first.`,
  };
}

function replyTimes({ known }: Problem<'messages.reply-times'>): Words {
  const flat = 'threads: flat sends them as messages of the channel, which keep their times';
  if (known === undefined) {
    return {
      summary: 'The application may not keep the times of replies',
      detail: `No document says whether a reply in a thread keeps its time. Run ${chatformCommand('calibrate')} on a test application first; ${flat}.`,
    };
  }
  const does = known === 'refused' ? 'refuses a reply with a time' : 'gives replies the time of their arrival';
  return {
    summary: 'The application does not keep the times of replies',
    detail: `By its behaviours, the application ${does}. ${flat.charAt(0).toUpperCase()}${flat.slice(1)}.`,
  };
}

function otherKind({ address, rival, keyName, title, rivalTitle }: Problem<'plan.other-kind'>): Words {
  return {
    summary: 'The key belongs to an object of another kind',
    detail: `${rival} is in state and has the same ${keyName}, and the platform cannot turn a ${rivalTitle} into a ${title}. Choose another key. To delete ${rival} with its content first, replace this declaration by {address: ${yamlWord(rival)}, on_remove: delete} under removed, and apply. If the platform already has a ${title} of this key, run ${chatformCommand('state forget', onlyAddress(rival))} and then ${adoptCommand(address)}.`,
  };
}

function existing(problem: Problem<'plan.exists'>): string {
  if (problem.of === 'more')
    return `${problem.count} more objects are on the platform but not in state. If state was lost or this is the wrong one, give the right one with --state first.`;
  const { address } = problem;
  const conflict = `${address} is on the platform but not in state, so its creation will be refused.`;
  const adopted = `take the object into state as it is with ${adoptCommand(address)}`;
  const adoptedIt = `take it into state as it is with ${adoptCommand(address)}`;
  switch (problem.of) {
    case 'refuse':
      return `${conflict} The policy is existing: refuse. Choose another key, ${adopted}, or let the apply take it over with policy: {existing: adopt_equal}, or {existing: adopt} if it differs from the declaration.`;
    case 'adopt_equal':
      return `${conflict} It differs from the declaration in ${problem.differing.join(', ')}, and the policy is existing: adopt_equal. Change the declaration or the object, ${adoptedIt}, or let the apply take it over with policy: {existing: adopt}.`;
    case 'named':
      return `${conflict} It matches policy.adopt, but differs from the declaration in ${problem.differing.join(', ')}; the plan shows the value on the platform first, then the declared one. Declare the first values to take the object as it is, or take it into state with ${adoptCommand(address)} to let an apply change it.`;
    case 'impossible': {
      const { cause } = problem;
      return `${conflict} It cannot be made as declared: ${'detail' in cause ? cause.detail : problemInWords(cause).detail}`;
    }
  }
}

function leftOut(problem: Problem<'plan.left-out'>): Words {
  const summary = 'A change needs an excluded object';
  if (problem.of === 'more')
    return { summary, detail: `The plan leaves out ${problem.count} more objects that need an excluded object.` };
  const { needs, why, addresses, count } = problem;
  const lack = why === 'absent' ? 'does not exist yet' : why;
  const objects = `${count} ${count === 1 ? 'object' : 'objects'}`;
  return {
    summary,
    detail: `${needs} is excluded and ${lack}, so the plan leaves out ${objects}: ${withMore(addresses, count - addresses.length, ', and')}. Apply without --exclude to change all of them.`,
  };
}

function partial(problem: Problem<'plan.partial'>): Words {
  const { flags } = problem;
  const excluded = 'the objects that --exclude names';
  const part = !flags.includes('target')
    ? `all objects except ${excluded}`
    : `only the objects that --target names and those that they need${flags.includes('exclude') ? `, without ${excluded}` : ''}`;
  if (problem.of === 'drift') return { summary: 'The drift is partial', detail: `The command read ${part}.` };
  const { needed, count } = problem;
  const besides =
    count === 0 ? '' : ` Also included, because these need them: ${withMore(needed, count - needed.length, ', and')}.`;
  return {
    summary: 'The plan is partial',
    detail: `The plan contains ${part}. Other changes are skipped.${besides}`,
  };
}

function overBudget(problem: Problem<'safety.over-budget'>): Words {
  const { count, managed } = problem;
  if (problem.of === 'effect') {
    const { effect, done, minCount, maxShare } = problem;
    const before = done === 0 ? '' : `, in addition to ${done} already done under an acknowledgement`;
    return {
      summary: 'The plan removes or restores more than the budget allows',
      detail: `${effect} would happen ${count} times${before}, of ${managed} in state. The budget is ${minCount} or ${percent(maxShare)}, whichever is larger. ${faultsInWords(problem)}If this is intended, acknowledge it in the reviewed diff: ${advice(problem)}.`,
    };
  }
  const { kind, half, third } = problem;
  const rule =
    half === third
      ? `More than ${percent(half)} of a kind's objects`
      : `More than ${half === 1 / 2 ? 'half' : percent(half)} of a kind's objects, or more than three that are more than ${third === 1 / 3 ? 'a third' : percent(third)},`;
  return {
    summary: 'A large part of a kind would be taken away',
    detail: `${kind}: the plan takes away ${count} of ${managed} that state manages. ${rule} need an acknowledgement. ${faultsInWords(problem)}If it is meant, say so in the reviewed diff: ${advice(problem)}.`,
  };
}

function wholeKind(problem: Problem<'safety.whole-kind'>): Words {
  const { kind, effect, count, total, isUndo } = problem;
  const all = count === 1 ? `The only ${kind}` : `All ${count} objects of kind ${kind}`;
  const more =
    total > count
      ? `Including those already done or disabled again after temporary work, ${effect} happens ${total} times. `
      : '';
  const [why, advised] = isUndo
    ? [
        'would be removed by the undo, because the run created them',
        'If this is intended, acknowledge it in the policy',
      ]
    : [
        `${count === 1 ? 'is' : 'are'} removed from the manifest`,
        'If a file or folder is missing, restore it. If this is intended, acknowledge it in the reviewed diff',
      ];
  return {
    summary: 'Every object of one kind would be removed',
    detail: `${all} in state ${why}. ${more}${faultsInWords(problem)}${advised}: ${advice(problem)}.`,
  };
}

function tooManyNotified(problem: Problem<'safety.notify'>): Words {
  const { people, atMost, unknownCalls } = problem;
  const more =
    unknownCalls === 0 ? '' : ` Not counted, because no document decides it: ${plural(unknownCalls, 'further call')}.`;
  return {
    summary: 'The plan would notify more people than the policy allows',
    detail: `${plural(people, 'person', 'people')} would notice something, and policy.notify allows ${atMost}.${more} The plan says what they notice, and what is quieter. ${faultsInWords(problem)}If this is intended, acknowledge it in the reviewed diff: ${advice(problem)}.`,
  };
}

function inputShrank(problem: Problem<'safety.input-shrank'>): Words {
  const { section, before, after, files, more } = problem;
  const causes = files.map((file) => `${shrunkFile(section, file)} (${file.before} then). `);
  if (more > 0) causes.push(`${more} more files declare less, or are missing. `);
  const detail = `${section}: ${before} at the last apply, ${after} now. ${causes.join('')}If a file, a folder or a PATH argument is missing, restore it. To plan only a part, use --target. To remove the rest, acknowledge it in the reviewed diff with ${advice(problem)}, naming the effect that on_remove has. ${faultsInWords(problem)}`;
  return { summary: 'Much less is declared than at the last apply', detail: detail.trimEnd() };
}

function shrunkFile(section: string, { file, now }: ShrunkFile): string {
  if (now === undefined) return `${file} was not read`;
  if (now.emptySection !== undefined) return `${printPosition(now.emptySection)} declares ${section}: {}`;
  if (now.isEmpty) return `${file} declares nothing`;
  return now.objects === 0 ? `${file} declares no ${section}` : `${file} declares ${now.objects}`;
}

function tooManyChannels({ users, more, isRefused }: Problem<'user.too-many-channels'>): Words {
  const counted = (isCounted: boolean | undefined): string => (isCounted === true ? ', counted on the platform' : '');
  const affected = users.map(
    ({ id, channels, isCounted }) => `${id} (${printNumber(channels)} channels${counted(isCounted)})`,
  );
  const most = printNumber(channelsOfUser.most);
  const effect = isRefused
    ? `This application refuses a user in more than ${most} group channels`
    : `By the vendor's pages, a user joins at most ${most} group channels: further invitations are declined by themselves, and a creation may fail. The base document names no limit`;
  return {
    summary: 'Invitations of users in too many channels are declined',
    detail: `${effect}. Affected: ${withMore(affected, more)}. Remove them from channels that have ended, or ask the vendor's support.`,
  };
}

function advice({ effect, total }: NeededAcknowledgement): string {
  return `policy: {acknowledge: [{effect: ${effect}, count: ${total}}]}`;
}

/** Sentences about acknowledgements that do not count, each with a space after it. */
function faultsInWords({ faults }: NeededAcknowledgement): string {
  return faults.map((fault) => `${faultInWords(fault)} `).join('');
}

function faultInWords(fault: AcknowledgementFault): string {
  switch (fault.why) {
    case 'other_effect':
      return `The acknowledgement of ${fault.count} is for ${fault.effect}.`;
    case 'other_count':
      return `The acknowledgement of ${fault.counts.join(' and ')} does not match that number.`;
    case 'expired':
      return `The acknowledgement of ${fault.count} expired after ${fault.expires}.`;
  }
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
