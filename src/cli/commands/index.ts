// The registry of commands. Each is loaded when it is used.
import type { CommandDefinition } from '../flags/command.ts';

type Loads = Readonly<Record<string, () => Promise<CommandDefinition>>>;

/** By the heading in the help of chatform, in the order in which it lists them. */
const groups = {
  Start: {
    init: async () => (await import('./init.ts')).init,
    emulator: async () => (await import('./emulator.ts')).emulator,
    completion: async () => (await import('./completion.ts')).completion,
  },
  Daily: {
    plan: async () => (await import('./plan.ts')).plan,
    show: async () => (await import('./show.ts')).show,
    apply: async () => (await import('./apply.ts')).apply,
    undo: async () => (await import('./runs/undo.ts')).undo,
    drift: async () => (await import('./drift.ts')).drift,
    explain: async () => (await import('./explain.ts')).explain,
    adopt: async () => (await import('./adopt.ts')).adopt,
    destroy: async () => (await import('./destroy.ts')).destroy,
  },
  Check: {
    validate: async () => (await import('./validate.ts')).validate,
    fmt: async () => (await import('./fmt.ts')).fmt,
    test: async () => (await import('./test.ts')).test,
    rehearse: async () => (await import('./rehearse.ts')).rehearse,
    verify: async () => (await import('./verify.ts')).verify,
    calibrate: async () => (await import('./calibrate.ts')).calibrate,
    conformance: async () => (await import('./conformance.ts')).conformance,
  },
  Migrate: {
    convert: async () => (await import('./convert.ts')).convert,
    'convert-files': async () => (await import('./convert-files.ts')).convertFiles,
    export: async () => (await import('./export.ts')).exportLive,
    cutover: async () => (await import('./migration/cutover.ts')).cutover,
  },
  State: {
    state: async () => (await import('./state.ts')).state,
  },
  Programs: {
    mcp: async () => (await import('./mcp.ts')).mcp,
    commands: async () => (await import('./commands.ts')).describing(allCommands),
    schema: async () => (await import('./schema.ts')).schema,
  },
} as const satisfies Readonly<Record<string, Loads>>;

/** By name. Only the command that runs is loaded, to keep start-up short. */
export const commands: Loads = Object.assign({}, ...Object.values(groups)) as Loads;

/** The heading of a command in the help. */
export function groupOf(name: string): string {
  return Object.entries(groups).find(([, loads]) => Object.hasOwn(loads, name))?.[0] ?? '';
}

/** For help and completion, in the order in which they are listed. */
export function allCommands(): Promise<CommandDefinition[]> {
  return Promise.all(Object.values(commands).map((load) => load()));
}
