// The files of a message as the platform shows it, in a list and in a Data Export alike (platform §6.2).
import { isList, isObject, type JsonObject } from '../../../lib/json.ts';

/** Its file, which is `{}` without one, and its further files. Their fields may have the names that a sender uses. */
export function filesOfMessage({ file, files }: JsonObject): JsonObject[] {
  return [file, ...(isList(files) ? files : [])]
    .filter(isObject)
    .map(({ file_name, file_type, file_size, ...shown }) => ({
      ...(file_name === undefined ? {} : { name: file_name }),
      ...(file_type === undefined ? {} : { type: file_type }),
      ...(file_size === undefined ? {} : { size: file_size }),
      ...shown,
    }));
}
