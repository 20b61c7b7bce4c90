// What authors of manifests can do about an error of the platform, by platform code.

/** For other codes, the platform's message is enough. */
const advice: Readonly<Record<number, string>> = {
  400108: 'The application or its plan does not allow this call. Ask its administrator or support.',
  400110: 'A value is too long for this application. Shorten it.',
  400111: 'The platform rejected one of the values. Compare the message with the object, then fix its block.',
  400114: 'The object does not exist: it was changed elsewhere.',
  400201:
    'The call names something that does not exist: it was deleted elsewhere or never declared. Plan with --refresh, which shows missing objects and creates them again.',
  400202:
    'An object with this name exists and is not managed. Choose another key, or take the object over with policy: {existing: adopt_equal}. If state was lost, run chatform state rebuild.',
  400203: 'The application allows fewer items in a list than documented. Declare fewer.',
  400300: 'The user is deactivated, but not by chatform. Reactivate the user or leave them out.',
  400306: 'The quota of the plan is used up. Raise it, then run the same command again.',
  400307: 'The application restricts the domains of URLs. Use an allowed one, or have it added in the dashboard.',
  400401: 'The API token is wrong. Check CHATFORM_API_TOKEN.',
  400700: 'The sender is blocked or deactivated, or the text is filtered by the application.',
  400701: 'One of the two users has blocked the other. Leave one of them out of the members.',
  400702: 'One of the two users has blocked the other. Leave one of them out of the members.',
  400750: 'The user is banned from the channel. Lift the ban, or leave the user out of the members.',
  400751: 'The user is banned from channels of this custom type. Lift the ban, or leave the user out of the members.',
  400920: 'The values are valid alone but not together, or the application is read-only at the moment.',
  403100: 'The application is not available at the moment. Check the status of the platform.',
};

export function adviceFor(code: number): string | undefined {
  return Object.hasOwn(advice, code) ? advice[code] : undefined;
}
