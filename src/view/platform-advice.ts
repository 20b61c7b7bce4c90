// What does a refusal of the platform mean for the author of manifests, and what can he do? By platform code.

/** Codes that are not here speak for themselves in the platform's message. */
const advice: Readonly<Record<number, string>> = {
  400108: 'The application or its plan does not allow this call. Ask its administrator, or support.',
  400110: 'A value is too long for this application. Shorten it.',
  400111: 'The platform does not take one of the values. Compare the object with the message, then mend its block.',
  400114: 'The object is not there: it was changed elsewhere.',
  400201:
    'Something that the call names is not there: it was deleted elsewhere, or never declared. Plan with --refresh: what is gone is then shown, and made again.',
  400202:
    'An object of this name exists and is not ours. Choose another key; or take it over with policy: {existing: adopt_equal}. When state was lost, chatform state rebuild knows all of them again.',
  400203: 'The application allows fewer items in a list than its documentation says. Declare fewer.',
  400300: 'The user is deactivated, and not by this state. Reactivate him, or leave him out.',
  400306: 'The quota of the plan is used up. Raise it, then run the same command again.',
  400307: 'The application restricts the domains of URLs. Use an allowed one, or have it added in the dashboard.',
  400401: 'The API token is wrong. Check CHATFORM_API_TOKEN.',
  400700: 'The sender is blocked or deactivated, or the text is filtered by the application.',
  400701: 'One of the two users has blocked the other. Leave him out of the members.',
  400702: 'One of the two users has blocked the other. Leave him out of the members.',
  400750: 'The user is banned from the channel. Lift the ban, or leave him out of the members.',
  400751: 'The user is banned from channels of this custom type. Lift the ban, or leave him out of the members.',
  400920: 'Each value is right but not together; or the application is read-only at the moment.',
  403100: 'The application is not available at the moment. Look at the status of the platform.',
};

export function adviceFor(code: number): string | undefined {
  return Object.hasOwn(advice, code) ? advice[code] : undefined;
}
