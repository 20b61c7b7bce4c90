// The table of all behaviours: the hypotheses of each, what each predicts, and the probe that separates them.
import { type BehaviourName, behaviours } from '../../core/model/behaviours.ts';
import { messageQuestions } from './message-questions.ts';
import { closingQuestions, objectQuestions } from './object-questions.ts';
import { planHypotheses } from './plan-limits-probe.ts';
import type { Hypotheses, Question } from './question.ts';
import { scopeHypotheses } from './user-scope-probe.ts';
import { ruleHypotheses, windowHypotheses } from './window-probe.ts';

type Probe =
  /** Calls, with what each value predicts for their answers. */
  | { readonly type: 'question'; readonly question: Question }
  /** Bursts of calls. */
  | { readonly type: 'bursts'; readonly hypotheses: Readonly<Record<string, unknown>> }
  /** The headers of all answers. A missing header is an answer, too. */
  | { readonly type: 'headers' }
  /** No probe without changing objects of others, or none that chatform needs. */
  | { readonly type: 'none'; readonly because: string };

/** In the order in which they are asked. */
export const questions: readonly Question[] = [...objectQuestions, ...messageQuestions, ...closingQuestions];

const asked = Object.fromEntries(
  questions.map((question) => [question.reading, { type: 'question', question } as const]),
);

const bursts = <Observation>(hypotheses: Hypotheses<Observation>): Probe => ({ type: 'bursts', hypotheses });
const none = (because: string): Probe => ({ type: 'none', because });
const ofWebhook = 'a test would change the webhook of the whole application';

const others: Partial<Readonly<Record<BehaviourName, Probe>>> = {
  rateHeaders: { type: 'headers' },
  windowSeconds: { type: 'headers' },
  readsPerWindow: { type: 'headers' },
  changesPerWindow: { type: 'headers' },
  window: bursts(windowHypotheses),
  userRules: bursts(ruleHypotheses),
  planLimits: bursts(planHypotheses),
  userScope: bursts(scopeHypotheses),
  eventMessageBody: none('a test would change the event messages of the whole application'),
  allowlistDeletion: none('a test would change the addresses that may call the application'),
  reactionOfNonMember: none('chatform sends only reactions of members'),
  listedReplies: none('chatform asks for replies in every list, so both answers suit it'),
  countedReplies: none('chatform names only a count that is higher than what it read, so both answers suit it'),
  pinOfPinned: none('chatform accepts both answers to a second pin'),
  migrationLastMessage: none('a refresh compares the last message only where another channel shows a migrated one'),
  silentLastMessage: none('a refresh takes no silent message for the last one'),
  pinsInChannelView: none('chatform reads the pins of a channel only if the platform shows them'),
  pastMessagesDefault: none('chatform reads the setting itself before it sends messages'),
  historyLine: none('a test would change a setting of the whole application'),
  firstReceipt: none('chatform depends on no value of a new receipt'),
  updateReadTs: none('chatform says what each value means before it sends update_read_ts'),
  migrationRetention: none('an answer takes days'),
  joinLimit: none('a test would make 2,001 channels'),
  botAi: none('a test would make an AI chatbot, of which an application may have few'),
  unknownWebhookEvent: none(ofWebhook),
  webhookRetry: none(ofWebhook),
  joinEvents: none(ofWebhook),
  migrationEvents: none(ofWebhook),
  adminMessageEvents: none(ofWebhook),
  botSignature: none('the platform cannot call a machine behind a firewall'),
};

export const probes: ReadonlyMap<BehaviourName, Probe> = new Map(
  (Object.keys(behaviours) as BehaviourName[]).map((name) => [
    name,
    asked[name] ?? others[name] ?? none('no probe is known'),
  ]),
);

/** Why each behaviour without a probe stays undecided. */
export const undecidable: Partial<Readonly<Record<BehaviourName, string>>> = Object.fromEntries(
  [...probes].flatMap(([name, probe]) => (probe.type === 'none' ? [[name, probe.because]] : [])),
);
