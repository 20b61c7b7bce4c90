// Advice for authors of manifests, by error code of the platform.
import type { StepFailure } from '../../model/event.ts';
import { platformCode } from '../../model/platform-codes.ts';

/** For other codes, the platform's message is enough. */
const advice: Readonly<Record<number, string>> = {
  [platformCode.notAllowed]: 'The application or its plan does not allow this call. Ask its administrator or support.',
  [platformCode.tooLong]: 'A value is too long for this application. Shorten it.',
  [platformCode.invalidValue]:
    'The platform rejected one of the values. Compare the message with the object, then fix its block.',
  [platformCode.noLongerThere]: 'The object does not exist: it was changed elsewhere.',
  [platformCode.notFound]:
    'The call names something that does not exist: it was deleted elsewhere or never declared. chatform apply --refresh creates objects that are declared and forgets the others.',
  [platformCode.taken]:
    'chatform plan --refresh compares the object with its declaration. If it is another object, choose another key. If not, take it into state with chatform adopt ADDRESS or policy: {existing: adopt_equal}.',
  [platformCode.tooManyItems]: 'The application allows fewer items in a list than documented. Declare fewer.',
  [platformCode.deactivatedUser]:
    'The user is deactivated, but not by chatform, and has left all channels. If no line names the user any more, chatform apply --refresh finds nothing left to remove. If not, reactivate the user or remove the lines.',
  [platformCode.quotaUsedUp]: 'The quota of the application is used up. Raise it, then run the same command again.',
  [platformCode.refusedDomain]:
    'The application restricts the domains of URLs. Use an allowed domain, or add this one in the dashboard.',
  [platformCode.wrongToken]: 'The API token is wrong. Check CHATFORM_API_TOKEN.',
  [platformCode.blockedSender]: 'The sender is blocked or deactivated, or the text is filtered by the application.',
  [platformCode.blockedByUser]: 'One of the two users has blocked the other. Leave one of them out of the members.',
  [platformCode.blockedUser]: 'One of the two users has blocked the other. Leave one of them out of the members.',
  [platformCode.bannedFromChannel]:
    'The user is banned from the channel. Lift the ban, or leave the user out of the members.',
  [platformCode.bannedFromType]:
    'The user is banned from channels of this custom type. Lift the ban, or leave the user out of the members.',
  [platformCode.conflictingValues]:
    'The values are valid alone but not together, or the application is read-only at the moment.',
  [platformCode.unavailable]: 'The application is not available at the moment. Check the status of the platform.',
};

const missingIds =
  'A user that a manifest declares was deleted elsewhere: plan with --refresh, which creates the user again. Any other user has to be created by whoever manages them; or remove the lines that name them.';

export function adviceFor({ code, missing_ids }: Pick<StepFailure, 'code' | 'missing_ids'>): string | undefined {
  if (missing_ids !== undefined) return missingIds;
  return Object.hasOwn(advice, code) ? advice[code] : undefined;
}
