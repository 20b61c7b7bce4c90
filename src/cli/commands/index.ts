// The registry of commands. Each is loaded when it is used.
import type { CommandDefinition } from '../flags/command.ts';

/** By name. Only the command that runs is loaded, to keep start-up short. */
export const commands: Readonly<Record<string, () => Promise<CommandDefinition>>> = {
  init: async () => (await import('./init.ts')).init,
  validate: async () => (await import('./validate.ts')).validate,
  fmt: async () => (await import('./fmt.ts')).fmt,
  plan: async () => (await import('./plan.ts')).plan,
  show: async () => (await import('./show.ts')).show,
  apply: async () => (await import('./apply.ts')).apply,
  undo: async () => (await import('./runs/undo.ts')).undo,
  drift: async () => (await import('./drift.ts')).drift,
  test: async () => (await import('./test.ts')).test,
  rehearse: async () => (await import('./rehearse.ts')).rehearse,
  explain: async () => (await import('./explain.ts')).explain,
  convert: async () => (await import('./convert.ts')).convert,
  files: async () => (await import('./files.ts')).files,
  export: async () => (await import('./export.ts')).exportLive,
  adopt: async () => (await import('./adopt.ts')).adopt,
  destroy: async () => (await import('./destroy.ts')).destroy,
  verify: async () => (await import('./verify.ts')).verify,
  calibrate: async () => (await import('./calibrate.ts')).calibrate,
  cutover: async () => (await import('./migration/cutover.ts')).cutover,
  state: async () => (await import('./state.ts')).state,
  emulator: async () => (await import('./emulator.ts')).emulator,
  mcp: async () => (await import('./mcp.ts')).mcp,
  commands: async () => (await import('./commands.ts')).describing(allCommands),
  schema: async () => (await import('./schema.ts')).schema,
  completion: async () => (await import('./completion.ts')).completion,
};

/** For help and completion, in the order in which they are listed. */
export function allCommands(): Promise<CommandDefinition[]> {
  return Promise.all(Object.values(commands).map((load) => load()));
}
