// chatform state: looks into state, and repairs it.
import { usage } from '../../model/errors.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { applicationOptions, lockTimeoutOption, stateOption, tokenOption, verboseOption } from '../flags/options.ts';
import type { StateVerb } from './state/verb.ts';

/** THE registry of verbs: one line each. Each loads what it needs. */
const verbs: Readonly<Record<string, () => Promise<StateVerb>>> = {
  list: async () => (await import('./state/list.ts')).list,
  show: async () => (await import('./state/show.ts')).show,
  forget: async () => (await import('./state/forget.ts')).forget,
  lock: async () => (await import('./state/lock.ts')).lock,
  unlock: async () => (await import('./state/unlock.ts')).unlock,
  compact: async () => (await import('./state/compact.ts')).compact,
  rebind: async () => (await import('./state/rebind.ts')).rebind,
  rebuild: async () => (await import('./state/rebuild.ts')).rebuild,
  pull: async () => (await import('./state/pull.ts')).pull,
  push: async () => (await import('./state/push.ts')).push,
  log: async () => (await import('./state/log.ts')).log,
  rekey: async () => (await import('./state/rekey.ts')).rekey,
};
const names = Object.keys(verbs);

export const state: CommandDefinition = {
  name: 'state',
  arguments: [
    { usage: `<${names.join('|')}>`, description: 'what to do' },
    { usage: '[argument...]', description: 'addresses, files, or an application: see the examples' },
  ],
  summary: 'look into state, and repair it',
  help: `Examples:
  chatform state list                      every address
  chatform state list 'user.support-*'     some of them
  chatform state show user.alice           one record as JSON
  chatform state lock                      who holds the lock, since when, until when
  chatform state unlock                    break it: its holder can never write again
  chatform state log                       every run: who, when, which commit and plan, how it ended
  chatform state log --verify              was an entry removed or edited?
  chatform state forget user.mallory       out of state; it stays on the platform
  chatform state pull copy.ndjson          the whole state as one file, with a digest
  chatform state push copy.ndjson --state postgres://ci@db.example.com/chatform
  chatform state rebind https://chat.example.com/v3
                                           the same application has another address now
  chatform state rebuild manifests/        state is lost: read what is declared, and know it again
  chatform state compact                   fold the journals into the snapshot
  CHATFORM_STATE_KEY=NEW CHATFORM_STATE_KEY_OLD=OLD chatform state rekey
                                           encrypt it with another key, or for the first time

The application is the one of the manifests in the current folder, or of --base-url.
rebuild takes the paths of manifests, reads the platform, and writes into an empty state alone.
What changes state takes its lock; --lock-timeout waits for it. unlock, forget and rebind
ask before they do it, and need --force where nobody can be asked.

Exit codes: 0 done, 1 the state cannot be used, or show knows no such address,
3 the store refuses the login or the key does not fit, or the platform refuses the token, 5 declined at the prompt,
6 another application or lineage, the destination is ahead or not empty, or the log was changed, 7 state locked,
8 the lock was lost or the wait for it interrupted, 64 usage, an address that means nothing, or nobody to ask,
65 manifests invalid.`,
  options: [
    { flags: '--out <file>', description: 'pull: where the copy goes (default: standard output)' },
    { flags: '--from <application>', description: 'rebind: which state, where a database holds several' },
    {
      flags: '--force',
      description: 'unlock, forget, rebind: do not ask; push, rebuild: replace or add to what is there',
    },
    { flags: '--plain-state', description: 'rekey: store it without a key from now on' },
    { flags: '--verify', description: 'log: check that no entry was removed or edited' },
    {
      flags: '--format <format>',
      description: 'lock, log: how it is shown',
      choices: ['human', 'json'],
      default: 'human',
    },
    ...applicationOptions,
    tokenOption,
    stateOption,
    lockTimeoutOption,
    verboseOption,
  ],
  run: async (input, environment) => {
    const [name = '', ...args] = input.args;
    const load = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (load === undefined) {
      const { Suggestions } = await import('../../manifest/checks/suggest.ts');
      const hint = new Suggestions().sentence(name, names);
      throw usage(
        `chatform state knows no "${name}".${hint}`,
        `It knows ${names.join(', ')}; see chatform state --help.`,
      );
    }
    return (await load())(args, input, environment);
  },
};
