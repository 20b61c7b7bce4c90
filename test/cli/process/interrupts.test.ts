// Tests the signals of a process with an emitter in its place.
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { Interrupts, type StopSignal, stopSignals } from '../../../src/cli/process/interrupts.ts';

function rig() {
  const signals = new EventEmitter();
  const world = { now: 0, said: '', exits: [] as number[] };
  const interrupts = new Interrupts({
    signals,
    clock: { now: () => world.now },
    say: (text) => {
      world.said += text;
    },
    exit: (code) => void world.exits.push(code),
  });
  const send = (signal: StopSignal, atMs = world.now): void => {
    world.now = atMs;
    signals.emit(signal);
  };
  return { signals, interrupts, world, send };
}

const never = () => new Promise<never>(() => {});
const refused = { code: 'command.interrupted', exitCode: 8 };

test.for(stopSignals)('%s calls back once, and keeps the only listener of the process during the emit', (signal) => {
  const { signals, interrupts, world, send } = rig();
  let calls = 0;
  // As signal-exit does, which kills the process when nothing else listens.
  let listenersLeft = 0;
  signals.on(signal, () => {
    listenersLeft = signals.listenerCount(signal) - 1;
  });
  const forget = interrupts.onInterrupt(() => {
    calls += 1;
    forget();
  });
  send(signal);
  expect({ calls, listenersLeft, exits: world.exits }).toEqual({ calls: 1, listenersLeft: 1, exits: [] });
});

test.for<[StopSignal, number, StopSignal, number, readonly number[]]>([
  ['SIGINT', 0, 'SIGINT', 299, []],
  ['SIGINT', 0, 'SIGTERM', 299, []],
  ['SIGHUP', 0, 'SIGHUP', 1, []],
  ['SIGINT', 0, 'SIGINT', 300, [130]],
  ['SIGTERM', 0, 'SIGTERM', 5_000, [143]],
  ['SIGHUP', 0, 'SIGHUP', 5_000, [129]],
  ['SIGINT', 0, 'SIGHUP', 5_000, [129]],
])('%s at %i ms, then %s at %i ms, ends at once with %j', ([first, at, second, later, exits]) => {
  const { interrupts, world, send } = rig();
  let calls = 0;
  interrupts.onInterrupt(() => {
    calls += 1;
  });
  send(first, at);
  send(second, later);
  expect({ calls, exits: world.exits }).toEqual({ calls: 1, exits });
  expect(world.said.includes('Interrupted again: ending at once.')).toBe(exits.length > 0);
});

test('a repeated signal does not move the end of the time in which signals are the same request', () => {
  const { interrupts, world, send } = rig();
  interrupts.onInterrupt(() => {});
  for (const at of [0, 200, 400]) send('SIGINT', at);
  expect(world.exits).toEqual([130]);
});

test('an interrupt between two listeners reaches the later one, unless it is gone by then', async () => {
  const { interrupts, send } = rig();
  interrupts.onInterrupt(() => {});
  send('SIGTERM');
  const called: string[] = [];
  interrupts.onInterrupt(() => void called.push('later'));
  interrupts.onInterrupt(() => void called.push('gone'))();
  await Promise.resolve();
  expect(called).toEqual(['later']);
});

test('abandons work only while nothing listens', async () => {
  const { interrupts, send } = rig();
  const forget = interrupts.onInterrupt(() => {});
  const listening = interrupts.abandonable('command', async () => {
    send('SIGINT');
    return 'ended in order';
  });
  expect(await listening).toBe('ended in order');
  forget();

  const idle = rig();
  const abandoned = idle.interrupts.abandonable('command', never);
  idle.send('SIGINT');
  await expect(abandoned).rejects.toMatchObject(refused);
  expect(idle.interrupts.isInterrupted).toBe(true);
});

test('a signal before the command begins refuses it', async () => {
  const { interrupts, send } = rig();
  send('SIGINT');
  let hasBegun = false;
  const work = interrupts.abandonable('command', async () => {
    hasBegun = true;
  });
  await expect(work).rejects.toMatchObject(refused);
  expect(hasBegun).toBe(false);
});

test('every report is written before the command that contains it ends', async () => {
  const { interrupts, send } = rig();
  const written: string[] = [];
  const reporting = (name: string) =>
    interrupts.abandonable('folder', () =>
      interrupts.abandonable('report', never).catch(async () => {
        await new Promise(setImmediate);
        written.push(name);
      }),
    );
  const command = interrupts.abandonable('command', () => Promise.all([reporting('one'), reporting('two')]));
  send('SIGHUP');
  await command;
  expect(written).toEqual(['one', 'two']);
});

test('names the first signal, and ends what must not outlive the process before a second one ends it', () => {
  const { interrupts, world, send } = rig();
  const heard: string[] = [];
  interrupts.onInterrupt((signal) => heard.push(signal));
  const forget = interrupts.onSecondInterrupt(() => heard.push('forgotten'));
  interrupts.onSecondInterrupt(() => heard.push(`last, exits: ${world.exits.length}`));
  forget();
  send('SIGTERM', 0);
  send('SIGINT', 299);
  send('SIGINT', 300);
  expect({ heard, exits: world.exits }).toEqual({ heard: ['SIGTERM', 'last, exits: 0'], exits: [130] });
});
