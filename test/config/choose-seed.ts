// Chooses the seed of the properties once for a run and prints it. FC_SEED overrides it, and CI always uses the same seed.
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A whole number, the seed of every property that names none of its own. */
    seed: number;
  }
}

const seedInCi = 20_261_123;

export default function chooseSeed(project: TestProject): void {
  const { FC_SEED: given, CI: ci } = process.env;
  if (given !== undefined && !/^-?\d{1,10}$/u.test(given)) throw new Error(`FC_SEED is not a whole number: ${given}`);
  const seed = given !== undefined ? Number(given) : ci ? seedInCi : Math.floor(Math.random() * 2 ** 31);
  project.provide('seed', seed);
  console.log(`Seed of the properties: ${seed}. FC_SEED=${seed} repeats this run.`);
}
