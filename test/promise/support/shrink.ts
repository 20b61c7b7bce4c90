// Support: finds the smallest scenario that still breaks the promise, by removing one thing after the other.
import type { Estate } from './estates.ts';
import { withoutStrangers } from './estates.ts';
import { type Played, play } from './play.ts';
import type { Scenario, Stage } from './scenario.ts';

/** The maximum number of failing scenarios to try. The result need not be minimal. */
export async function shrink(scenario: Scenario, tries = 400): Promise<Scenario> {
  let smallest = scenario;
  const way = wayOf(await play(scenario));
  for (let left = tries; left > 0; ) {
    let isSmaller = false;
    for (const candidate of candidates(smallest)) {
      if (--left <= 0) break;
      if (wayOf(await play(candidate)) !== way) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
    if (!isSmaller) break;
  }
  return smallest;
}

/** The first violation, without names of objects and times. */
function wayOf({ broken }: Played): string {
  return (broken[0] ?? '').replace(/^stage \d+|\w+\.\S+|"[^"]*"|#\d+|\d+/gu, '');
}

/** Large cuts first. */
function* candidates(scenario: Scenario): Generator<Scenario> {
  const { stages, faults, behaviours, maxSyncMs, ...rest } = scenario;
  const withStages = (next: readonly Stage[]): Scenario => ({ ...scenario, stages: next });
  if (stages.length > 1) for (const place of stages.keys()) yield withStages(without(stages, place));
  if (maxSyncMs !== undefined) yield { ...rest, stages, faults, behaviours };
  for (const place of faults.keys()) yield { ...scenario, faults: without(faults, place) };
  for (const name of Object.keys(behaviours)) yield { ...scenario, behaviours: omit(behaviours, name) };
  for (const [place, stage] of stages.entries()) {
    for (const one of stage.disturbances.keys()) {
      const disturbances = without(stage.disturbances, one);
      yield withStages(stages.map((other, index) => (index === place ? { ...stage, disturbances } : other)));
    }
  }
  for (const path of paths(stages)) {
    yield withStages(stages.map((stage) => ({ ...stage, estate: cut(stage.estate, path) })));
  }
  for (const [place, stage] of stages.entries()) {
    for (const path of paths([stage])) {
      const estate = cut(stage.estate, path);
      yield withStages(stages.map((other, index) => (index === place ? { ...stage, estate } : other)));
    }
  }
}

/** Objects, then their attributes, then the entries of those. */
function paths(stages: readonly Stage[]): string[][] {
  const found = new Map<string, string[]>();
  const walk = (value: unknown, path: readonly string[]) => {
    if (path.length >= 2) found.set(JSON.stringify(path), [...path]);
    if (path.length === 4 || typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
  };
  for (const { estate } of stages) walk(estate, []);
  return [...found.values()].filter(isOptional).sort((left, right) => left.length - right.length);
}

function isOptional([section, , name = '', inner]: readonly string[]): boolean {
  // Removes a history file as a whole, or only its read marks.
  if (section === 'messages') return name === '' || (name === 'mark_as_read' && inner === undefined);
  return name !== 'nickname' && (inner === undefined || ['members', 'operators', 'metadata'].includes(name));
}

function cut(estate: Estate, path: readonly string[]): Estate {
  const next = cutValue(estate, path) as Estate;
  return withoutStrangers(next);
}

function cutValue(value: unknown, [head = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.filter((_item, place) => String(place) !== head);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, head)) return value;
  const record = value as Readonly<Record<string, unknown>>;
  return rest.length === 0 ? omit(record, head) : { ...record, [head]: cutValue(record[head], rest) };
}

function omit<T extends object>(record: T, name: string): T {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== name)) as T;
}

function without<T>(items: readonly T[], place: number): T[] {
  return items.filter((_item, index) => index !== place);
}
