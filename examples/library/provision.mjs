// Validates, plans and applies the manifests of this folder, as a program of yours would.
import { apply, plan, Refusal, validate } from 'chatform';

const cwd = import.meta.dirname;
const state = 'file:.chatform/state'; // postgres://… for one that several programs share

// Ctrl-C: running calls finish, the report says `interrupted`, and the next run continues.
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const { signal } = stop;

try {
  const { valid, diagnostics, objects } = await validate({ cwd, signal });
  for (const { severity, summary, source } of diagnostics) {
    console.log(`${source?.file}:${source?.line}: ${severity}: ${summary}`);
  }
  if (!valid) process.exit(65);

  const { plan: planned } = await plan({ cwd, state, signal });
  console.log(`${objects} objects are declared, ${planned.changes.length} of them change:`);
  // A plan of a million changes lies on disk: slice reads what it gives, and for…of one change after the other.
  for (const { address, actions } of planned.changes.slice(0, 20)) console.log(`  ${actions.join(', ')} ${address}`);

  let ended = 0;
  const report = await apply({
    cwd,
    state,
    signal,
    plan: planned, // exactly what was looked at, or a refusal
    maxDuration: '50m',
    onEvent: ({ type }) => {
      if (type === 'step.ended') ended += 1;
    },
  });
  console.log(`${report.outcome}: ${report.steps.succeeded} of ${report.steps.planned} steps, ${ended} events`);
  process.exitCode = report.exit_code;
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`${error.code}: ${error.message} ${error.advice}`);
  process.exitCode = error.exitCode;
}
