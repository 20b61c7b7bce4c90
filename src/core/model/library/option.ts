// What an option of a use case is: one description, from which its flag, the option of the library, the argument of a tool for
// agents, and the checks of all three are made.

/** The types of options, and the values that use cases get. */
interface Values {
  text: string;
  texts: readonly string[];
  'text or texts': string | readonly string[];
  switch: boolean;
  /** Whole, and at least zero. */
  count: number;
  /** Written as `50m`; a use case gets milliseconds. */
  duration: number;
  /** Of a day, or with a date. A use case gets it as it is written, because its moment depends on when the use case begins. */
  time: string;
  variables: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  function: (...given: never[]) => void;
  plan: object;
}

export type OptionType = keyof Values;

export interface Option<Type extends OptionType = OptionType> {
  readonly type: Type;
  /** For the help of the flag, the argument of a tool, and refusals: begins in lower case, without a full stop. */
  readonly text: string;
  /** The comment in the types of the library, in sentences. Default: `text` as a sentence. */
  readonly comment?: string;
  /** The type for TypeScript, if it is narrower than `type`. */
  readonly typed?: string;
  /** The name of the flag, without dashes. Absent if no flag means the same. */
  readonly flag?: string;
  /** What the help calls the value of the flag. Absent for a switch. */
  readonly value?: string;
  readonly isRequired?: true;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Of an option with choices, what its flag means without a value, and with `no-` in front. */
  readonly alone?: string;
  readonly negated?: string;
  /** The kind of the file that the option names for the use case to write. */
  readonly writes?: 'plan' | 'behaviours' | 'tokens';
  /** The name in the options of the use case, if it is another one. */
  readonly as?: string;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** Types whose values a use case gets in another form than a program or a command line gives them. */
const readTypes = ['text', 'texts', 'switch', 'count', 'duration', 'time'] as const;
type ReadType = (typeof readTypes)[number];

/**
 * The options of a table as a use case gets them, by the names and in the units of the use case. `Missing` is what a required one
 * may be instead: nothing, once it was checked.
 */
export type UseCaseOptions<Table extends OptionTable, Missing = never> = {
  readonly [Name in keyof Table as Table[Name]['type'] extends ReadType
    ? Table[Name] extends { readonly as: infer As extends string }
      ? As
      : Name
    : never]: Values[Table[Name]['type']] | (Table[Name] extends { readonly isRequired: true } ? Missing : undefined);
};

/** `read` gives the value of an option, with durations in milliseconds. */
export function useCaseOptions<Table extends OptionTable, Missing = never>(
  table: Table,
  read: (name: string, option: Option) => unknown,
): UseCaseOptions<Table, Missing> {
  const values = Object.entries(table).flatMap(([name, option]) =>
    readTypes.some((type) => type === option.type) ? [[option.as ?? name, read(name, option)]] : [],
  );
  return Object.fromEntries(values) as UseCaseOptions<Table, Missing>;
}
