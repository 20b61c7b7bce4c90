// Names plans that send replies in threads to an application that may not keep their times (platform §6.2).

import type { ReplyTime } from '../../model/behaviours.ts';
import type { Plan } from '../../model/plan.ts';
import type { Finding } from '../draft/finding.ts';
import type { Judgement } from './judge.ts';

const sending = 'POST /{channel_type}/{channel_url}/messages';

/** Refuses if the application is known to ignore or refuse the time of a reply. `replyTime` is its behaviour, if that is decided. */
export function judgeReplyTimes({ requests }: Pick<Plan, 'requests'>, replyTime: ReplyTime | undefined): Judgement {
  if (!requests.some(({ method, route }) => `${method} ${route}` === sending)) return { refusals: [] };
  const finding: Finding = {
    severity: replyTime === undefined ? 'warning' : 'error',
    problem: { code: 'messages.reply-times', ...(replyTime === undefined ? {} : { known: replyTime }) },
  };
  return replyTime === undefined ? { refusals: [], remarks: [finding] } : { refusals: [finding] };
}
