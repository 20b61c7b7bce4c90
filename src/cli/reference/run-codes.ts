// The meaning of each refusal, danger and remark outside of manifests, for the documentation.

/** What happened, what it means and what to do, and an example of what brings it about. */
export type RunCode = readonly [what: string, meaning: string, example: string];

export const runCodes: Readonly<Record<string, RunCode>> = {
  usage: [
    'The command line is not understood',
    'The message says how it is written.',
    '`chatform plan --target alice`',
  ],
  internal: ['A bug in chatform', 'What was done so far is saved. Please report it.', '–'],
  unexpected: ['An unexpected error', 'As for internal.', '–'],

  'application.missing': ['No application is named', 'Add application.base_url, or give --base-url.', 'a first `plan`'],
  'application.variable': [
    'The base URL needs a variable that is not set',
    'Set it for this command. Validating and planning work without it.',
    '`validate --online` without `CHATFORM_VAR_APP_ID`',
  ],
  'plan.no-application': [
    'The plan does not know its application',
    'Make it again with the variable of the base URL set.',
    'a plan from a fork, applied',
  ],
  'application.emulator-path': [
    '`emulator:` names no file',
    'Write where it keeps its data.',
    '`base_url: "emulator:"`',
  ],
  'application.unreachable': ['The platform does not answer', 'Check base_url and the network.', 'no network'],
  'refresh.interrupted': [
    'A command that reads was interrupted',
    'Reads under way were cut; nothing was changed on the platform.',
    'Ctrl-C during `drift`',
  ],
  'base-url.untrusted': [
    'The token must not go there',
    "A base URL from a manifest has to be the vendor's, loopback, or in CHATFORM_ALLOWED_HOSTS.",
    '`base_url: https://example.com/v3`',
  ],
  'base-url.invalid': ['The base URL is none', 'Write https://api-APP_ID.sendbird.com/v3.', '`--base-url nonsense`'],
  'token.missing': [
    'There is no API token',
    'Set CHATFORM_API_TOKEN, or give --api-token-file.',
    '`apply` in a new shell',
  ],
  'token.malformed': ['What is given as the token is none', 'One word, and nothing else.', 'a file of two lines'],
  'token.unreadable': ['The token file cannot be read', 'Check path and permissions.', '`--api-token-file missing`'],
  'token.refused': ['The platform refuses the token', 'Is it of this application, and not revoked?', 'a revoked token'],
  'tokens.nowhere': ['Tokens would be issued to nowhere', 'Give --tokens-out.', '`issue_access_token: true`'],
  'tokens.unwritable': [
    'The file for tokens cannot be opened',
    'Check the path of --tokens-out.',
    'a read-only folder',
  ],
  'file.no-room': [
    'There is no room for temporary files',
    'Make room, or name another folder in TMPDIR.',
    'a plan of a million objects with a small /tmp',
  ],
  'file.unwritable': ['An output file cannot be written', 'Check folder and disk.', '`--report /proc/x`'],
  'view.too-small': ['A view does not fit into --max-bytes', 'Give more.', '`--max-bytes 10`'],

  'manifest.changed': [
    'A file was changed while it was read',
    'Run it again when the file is complete.',
    'an export under way',
  ],

  'plan.create-only': [
    'An attribute is fixed at creation',
    'Set it back, or declare a new object.',
    'an edited `is_ephemeral`',
  ],
  'plan.one-way': [
    'An attribute cannot go back',
    'Set it to true again, or declare a new object.',
    '`is_super: false` after true',
  ],
  'plan.impossible-removal': [
    'A kind cannot be removed in that way',
    'The message lists the ways.',
    '`on_remove: freeze` of a user',
  ],
  'plan.exists': ['An object is there that is not in state', 'Adopt it, or choose another key.', 'a user made by hand'],
  'plan.part-in-doubt': [
    'State knows a part of an object, and not the object',
    'Plan with --refresh: it finds out whether the object is there.',
    'an archive whose channel was taken out of state',
  ],
  'plan.no-room': [
    "Others use up the platform's limit",
    'Declare fewer, or take some of the others away.',
    'six keys of metadata together',
  ],
  'plan.not-checked': [
    'Exclusive lists were not checked',
    'Only a plan with --refresh knows who else is there.',
    '`members_mode: exclusive`',
  ],
  'plan.partial': ['Only a part is planned', '--target leaves the rest out.', '`plan --target user.alice`'],
  'plan.removed-unknown': ['A removed object is not in state', 'The entry of removed may be deleted.', 'an old entry'],
  'plan.base-invalid': [
    'The base has errors of its own',
    'Changes are not attributed, and the policy is that of the request.',
    '`--base-ref` of a broken branch',
  ],
  'plan.policy-edited': [
    'A request edits the policy',
    'Merge the policy first, by itself.',
    '`removals` raised in the same request',
  ],
  'plan.in-doubt': [
    'The outcome of interrupted calls is unknown',
    'The plan may show again what is done already. The next apply finds out first.',
    '`plan` after an `apply` was killed',
  ],
  'plan.unreadable': ['A file is no plan, or was edited', 'Make the plan again.', 'a plan of another version'],
  'plan.not-approved': ['The hash is not the approved one', 'Have the new plan reviewed.', '`apply --approved-hash`'],
  'plan.conflict': [
    'Somebody changed what a saved plan relies on',
    'Plan again; or --skip-conflicts.',
    'two plans of one object',
  ],
  'plan.issues-tokens': ['A plan issues tokens', 'Give apply a --tokens-out.', '`issue_access_token: true`'],
  'plan.other-application': [
    'A plan is for another application',
    'Give the --base-url that it was made for.',
    "staging's plan in production",
  ],
  'plan.other-state': [
    'A plan was made against another state',
    'Give the --state that it was made with.',
    'a restored state',
  ],
  'plan.overtaken': [
    'State changed before the approval',
    'Another run was faster: run it again.',
    'two prompts at once',
  ],

  'safety.refused': [
    'A safety rule refuses the plan',
    'The rules below say which, and how to say that it is meant.',
    'a plan with one of them',
  ],
  'safety.protected': [
    'A protected object may not be removed',
    'Apply `protect: false` first.',
    'a deleted block with `protect: true`',
  ],
  'safety.reopen': [
    'A change needs a disabled object enabled',
    'Allow it by policy.reopen, or leave the change out.',
    'a member for a deactivated user',
  ],
  'safety.over-budget': [
    'More is taken away than the budget allows',
    'Acknowledge the number in the reviewed diff.',
    'forty users gone',
  ],
  'safety.whole-kind': [
    'Every object of a kind would go',
    'Is a file missing? Else acknowledge it.',
    'an empty users file',
  ],
  'safety.input-shrank': [
    'Much less is declared than before',
    'Give the missing part again; use --target for a part of the estate.',
    'a forgotten PATH',
  ],
  'safety.restricted': [
    'A file may not cause this change',
    'policy.restrictions allows its file other verbs.',
    '`verbs: [create]` and an edit',
  ],
  'safety.spent': ['An acknowledgement has nothing left', 'Delete the entry.', 'after the apply'],
  'safety.expired': [
    'An acknowledgement has expired',
    'Acknowledge anew with a later date, and plan again.',
    'an old saved plan',
  ],

  'apply.declined': ['The prompt was not answered with yes', 'Nothing was changed.', '`no`'],
  'apply.interrupted': ['Interrupted before the first call', 'Run it again.', 'Ctrl-C while a killed run is settled'],
  'apply.out-of-time': [
    '--max-duration was over before the first step',
    'Run it again with more time: it counts from when the command began.',
    'a long --refresh',
  ],
  'apply.file-changed': ['A file is not what the plan saw', 'Plan again.', 'a replaced profile image'],
  'apply.variable-missing': [
    "A secret's variable is not set",
    'Set it, and run the same command again.',
    '`access_code: { env: CODE }`',
  ],
  'destroy.not-confirmed': [
    '--confirm names another application',
    'Name the one that is meant, exactly.',
    '`destroy --confirm staging`',
  ],
  'export.occupied': [
    'The folder of an export is not empty',
    'Give another with --out: an export overwrites nothing.',
    '`export --out .` beside manifests',
  ],
  'state.occupied': [
    'A state that has to be empty is not',
    'The message says how to go on without losing what is in it.',
    '`export` twice',
  ],
  'adopt.known': ['Objects are in state already', 'There is nothing to adopt.', '`adopt user.alice` twice'],
  'adopt.missing': [
    'Objects are not on the platform',
    'Check key and application; apply creates them.',
    '`adopt user.alise`',
  ],
  'refresh.refused': [
    'The platform refuses a read',
    'Ask its administrator; a plan without --refresh does not read.',
    'a feature that is off',
  ],
  'emulator.cannot-start': [
    'The emulator cannot start',
    'One at a time may use a data file or a port.',
    'two runs at once',
  ],

  'base.no-git': ['git cannot be started', 'Install it, or plan without --base-ref.', '`plan --base-ref main`'],
  'base.no-repository': ['The folder is in no repository', 'Run it in the one of the manifests.', 'a copied folder'],
  'base.unknown-ref': ['A commit has no such name', 'Write --base-ref origin/main.', '`--base-ref mian`'],
  'base.unrelated': ['There is no common commit', 'Fetch the whole history.', 'a shallow clone'],
  'base.unreadable': ['The base commit cannot be read', 'Fetch the whole history.', 'a partial clone'],

  'state.locked': ['Another run holds the lock', 'Wait, or give --lock-timeout.', 'two applies at once'],
  'state.wait-interrupted': ['Interrupted while waiting for the lock', 'Run it again.', 'Ctrl-C under --lock-timeout'],
  'state.lease-lost': ['The lock was lost', 'Run it again once the other run has ended.', 'a laptop that slept'],
  'state.lock-changed': [
    'The lock changed hands before it was broken',
    '`chatform state lock` shows who holds it.',
    '`state unlock`',
  ],
  'state.other-application': [
    'A state is of another application',
    'Point --state or --base-url at the right one.',
    'a copied folder',
  ],
  'state.corrupt': ['A state is damaged', 'Restore it from a backup, or rebuild it.', 'an edited state.ndjson'],
  'state.newer-format': ['A newer chatform wrote the state', 'Run that version.', 'a colleague who updated'],
  'state.read-failed': ['A state cannot be read', 'Check permissions.', 'a folder of root'],
  'state.write-failed': ['A state cannot be written', 'Free space, and run it again: it goes on.', 'a full disk'],
  'state.usage': ['A state is named wrongly', 'Write `file:DIR` or `postgres://…`.', '`--state state`'],
  'state.unsettled': [
    'The outcome of interrupted calls cannot be found out',
    'Run it again: it begins with reading.',
    'an outage after a kill',
  ],
  'state.rewound': [
    'A database no longer holds what it had acknowledged',
    'Compare a plan with the platform before the next run.',
    'a restored database',
  ],
  'state.unreachable': ['The database cannot be used', 'The message says why.', 'a stopped server'],
  'state.login-refused': [
    'The database refuses the login',
    'Give the password in CHATFORM_STATE_PASSWORD.',
    'a wrong password',
  ],
  'state.privilege-missing': [
    'The database user may not do it',
    'Grant what the message names.',
    'no CREATE privilege',
  ],
  'state.wrong-encoding': ['The database does not keep UTF-8', 'Use one with ENCODING UTF8.', 'LATIN1'],
  'state.unknown-address': [
    'State knows no such address',
    '`chatform state list` shows all.',
    '`state show user.alise`',
  ],
  'state.unknown-application': [
    'There is no state of that application',
    'The message lists those that there are.',
    '`state rebind`',
  ],
  'state.exists': ['There is a state of that application already', 'Two states cannot become one.', '`state rebind`'],
  'state.empty': ['A state was never written', 'Check --state and the application.', '`state pull` before an apply'],
  'state.bad-copy': ['A file is no whole copy of a state', 'Pull it again.', 'a cut download'],
  'state.push-refused': [
    'A copy does not fit what is there',
    'Pull what is there first; --force replaces it.',
    'an old copy',
  ],
  'state.declined': ['A change of state was not confirmed', 'Nothing was changed.', '`state unlock`, then no'],

  'user.session-token-without-end': [
    'A session token needs a declared end',
    'Write session_token: {expires_at: …}.',
    '`issue_session_token: true`',
  ],
  'group_channel.no-members': ['A new group channel needs a member', 'Declare one.', 'a block without members'],
  'group_channel.operator-outside': [
    'An operator is not a member',
    'Add them to members if the channel should show in their list.',
    '`operators: [bob]`',
  ],
  'group_channel.status-outside': [
    'A status names somebody who is no member',
    'Write it beside the member.',
    '`invitation_status: { bob: joined }`',
  ],
  'group_channel.cannot-uninvite': [
    'A membership cannot go back to an invitation',
    'Remove the status, or the member first.',
    '`joined`, then `invited_by_friend`',
  ],
  'group_channel.distinct-members': [
    'Members of a distinct channel are fixed',
    'Declare it with is_distinct: false under a new key.',
    'a new member of one',
  ],
  'messages.ephemeral': [
    'The channel of an archive stores no messages',
    'Remove the archive, or declare a channel that is not ephemeral.',
    'an archive for a channel that was made with is_ephemeral, whose line was removed',
  ],
  'messages.sent-part-changed': [
    'A part of an archive that was sent has changed',
    'Bring it back; add new lines at the end.',
    'an edited archive',
  ],

  'online.reached': ['The application answers', 'Address and token are right.', '`validate --online`'],
  'online.rate-plan': [
    'What the rate-limit headers say of the plan',
    'Correct application.rate_plan when it differs.',
    '`rate_plan: 5k_mau` on a larger plan',
  ],
  'online.rate-unknown': [
    'The answers carry no rate-limit headers',
    'The declared plan is kept to.',
    'a proxy that drops headers',
  ],
  'online.auto-accept': [
    'New users accept invitations by themselves',
    'Declared invitations may be joined at once.',
    "the application's default",
  ],
  'online.migration-unknown': [
    'Whether migration is on cannot be read',
    'Support switches it on; the first batch shows whether it is.',
    'declared messages',
  ],
  'online.retrieval': [
    'Whether messages can be read',
    'Without it, batches in doubt stay unknown.',
    'a feature that is off',
  ],
  'online.retrieval-unknown': ['There is no channel yet to try it on', 'Apply channels first.', 'a new application'],
};
