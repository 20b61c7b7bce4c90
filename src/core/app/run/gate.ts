// Asks the gate after a stage: --verify compares the messages of the stage, then --gate runs a command line of the user.

import { plural, printDuration } from '../../../lib/words.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { LiveReader } from '../../refresh/send.ts';
import { runInOwnGroup, withoutOwnVariables } from '../context/child-processes.ts';
import type { Ports } from '../context/ports.ts';
import type { PlanSource } from '../opening/plan-source.ts';
import { historyFilesAmong, verifyDeclared } from '../verification/history-files.ts';
import type { GateAnswer, GateQuestion, StageOptions } from './stages.ts';
import type { ApplySession } from './under-lock.ts';

const defaultTimeoutMs = 600_000;

type Gate = Pick<StageOptions, 'gate' | 'gateTimeoutMs' | 'verify'>;

/** Refused (64) for a gate that would pass without looking at anything: a verification alone, of manifests without messages. */
export function demandQuestion({ gate, verify = false }: Gate, { declared }: Pick<PlanSource, 'declared'>): void {
  if (gate !== undefined || !verify || declared === undefined) return;
  for (const _history_file of historyFilesAmong(declared)) return;
  throw usage(
    '--verify compares history files, and the manifests declare none, so it would let every stage pass.',
    'Nothing was changed. Add --gate COMMAND, or apply without --stage.',
  );
}

/** `session` is the one of the run, whose connection the verification uses. */
export async function askGate(
  question: GateQuestion,
  { gate, gateTimeoutMs = defaultTimeoutMs, verify = false }: Gate,
  source: Pick<PlanSource, 'application' | 'declared'>,
  session: Pick<ApplySession, 'platform' | 'pacer' | 'readList'>,
  ports: Ports,
): Promise<GateAnswer> {
  const verified = verify ? await verifyStage(question, source, session, ports) : passed;
  if (verified.outcome !== 'passed' || gate === undefined) return verified;
  const { stage, select, signal } = question;
  const env = {
    ...withoutOwnVariables(ports.env),
    STAGE: String(stage),
    STAGE_SELECTION: select,
    STAGE_APPLICATION: source.application.identity,
  };
  const end = await runInOwnGroup(gate, { cwd: ports.cwd, env }, { timeoutMs: gateTimeoutMs, signal });
  if (end.type === 'exit' && end.code === 0) return passed;
  if (end.type === 'aborted') return { outcome: 'interrupted', why: 'the command was ended with the run' };
  if (end.type === 'timeout') {
    const why = `the command did not end within ${printDuration(gateTimeoutMs / 1000)} and was ended; give it more time with --gate-timeout, or find out what it waits for`;
    return { outcome: 'timed_out', why };
  }
  const how = end.type === 'unstarted' ? 'could not be started' : `ended with ${endOf(end.code, end.signal)}`;
  return { outcome: 'failed', why: `the command ${how}${end.said === '' ? '' : `: ${end.said}`}` };
}

const passed: GateAnswer = { outcome: 'passed' };

function endOf(code: number | null, signal: string | null): string {
  return code === null ? `the signal ${signal}` : `exit code ${code}`;
}

/** Verifies every declared history file whose messages are in no later stage. */
async function verifyStage(
  { isLater, signal }: GateQuestion,
  { application, declared, messages: policy }: Pick<PlanSource, 'application' | 'declared' | 'messages'>,
  { platform, pacer, readList }: Pick<ApplySession, 'platform' | 'pacer' | 'readList'>,
  ports: Ports,
): Promise<GateAnswer> {
  if (declared === undefined) return passed;
  const { clock, random } = ports;
  const reader = new LiveReader({ platform, pacer, clock, random, signal });
  try {
    const { exit_code, totals } = await verifyDeclared(
      declared,
      { application, reader, lines: readList },
      { isWhole: false, policy, isWanted: (historyFile) => !isLater(historyFile) },
      ports,
    );
    if (exit_code === exitCode.done) return passed;
    const others = totals.channels - totals.matched;
    const why = `the messages of ${others} of ${plural(totals.channels, 'channel')} are not as declared; chatform verify shows them`;
    return { outcome: 'failed', why };
  } catch (error) {
    if (signal.aborted) return { outcome: 'interrupted', why: 'the verification was ended with the run' };
    if (error instanceof Refusal) return { outcome: 'failed', why: `the verification failed: ${error.message}` };
    throw error;
  }
}
