// chatform state forget
import { forgetObjects } from '../../../app/upkeep/forget.ts';
import { usage } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { portsOf } from '../../ports.ts';
import { counted, demandYes, type StateVerb, upkeepFlags } from './verb.ts';

const maxNamed = 20;

export const forget: StateVerb = async (args, input, environment) => {
  if (args.length === 0) throw usage('No address is given.', "Write: chatform state forget user.alice 'user.old-*'");
  const count = await forgetObjects(args, upkeepFlags(input), portsOf(input, environment), (addresses) => {
    const named = addresses.slice(0, maxNamed).map((address) => `  ${address}`);
    if (addresses.length > maxNamed) named.push(`  and ${addresses.length - maxNamed} more`);
    return demandYes(
      `${named.join('\n')}\n${counted(addresses.length, 'object')} will be taken out of state. On the platform nothing changes. The next apply creates what is still declared, and meets the object that is there (policy: {existing: …}); what was removed from the manifests is left alone from now on.`,
      input,
      environment,
    );
  });
  environment.stdout.write(`Forgotten: ${counted(count, 'object')}.\n`);
  return exitCode.done;
};
