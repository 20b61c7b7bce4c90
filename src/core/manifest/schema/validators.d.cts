// The type of validators.cjs.
import type { Validator } from './validate.ts';

declare const validators: Readonly<Record<string, (() => Validator) | undefined>>;
export = validators;
