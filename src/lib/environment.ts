// The variables of the environment, as a process has them.

/** A variable that is not set is undefined. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Whether a switch such as `CI=true` or `NO_COLOR=1` is set to anything except `0` and `false`. */
export function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}
