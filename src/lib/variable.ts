// Reads environment variables that are switches.

/** `CI=true`, `NO_COLOR=1`: set to anything but `0` and `false`. */
export function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}
