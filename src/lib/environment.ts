// The variables of the environment, as a process has them.

/** A variable that is not set is undefined. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;
