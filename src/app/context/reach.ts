// Reports that the platform does not respond while a command still retries.
import type { Platform } from '../../model/ports.ts';
import type { Ports } from './ports.ts';

/** Milliseconds before a missing first response is reported. Refused connections and unknown names are reported at once. */
const patienceMs = 5_000;

/** Calls back after the given milliseconds. The returned function cancels it. */
type Alarm = (ms: number, ring: () => void) => () => void;

/** A timer of real time, like the time-out of a request, even under a virtual clock. It does not keep the process alive. */
const networkAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms).unref();
  return () => clearTimeout(timer);
};

/** Watches a platform until its first response, or until its absence is reported. `end` ends the watch. */
export function watchReach(
  platform: Platform,
  host: string,
  notify: Ports['notify'],
  alarm: Alarm = networkAlarm,
): Platform & { end(): void } {
  let cancel: (() => void) | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    cancel?.();
  };
  const tell = (why: string): void => {
    if (isOver) return;
    end();
    notify({ type: 'host-silent', host, why });
  };
  const send: Platform['send'] = async (...sent) => {
    if (isOver) return platform.send(...sent);
    cancel ??= alarm(patienceMs, () => tell('no response yet'));
    const answer = await platform.send(...sent);
    if (answer.type === 'unsent') tell(answer.message);
    end();
    return answer;
  };
  return { send, end };
}
