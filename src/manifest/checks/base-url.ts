// Checks that the base URL of the application block is one of the platform's API, version 3.
import { isObject } from '../../lib/json.ts';
import { baseUrlAdvice, baseUrlFault } from '../../model/calls/base-url.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { Problems } from '../problems/problems.ts';

/** A base URL with a variable that is not set is checked when it is known. */
export function checkBaseUrls(documents: readonly ManifestDocument[], problems: Problems): void {
  for (const document of documents) {
    const { application } = document.outline;
    const url = isObject(application) ? application.base_url : undefined;
    if (typeof url !== 'string' || !/^https?:/iu.test(url)) continue;
    const fault = baseUrlFault(url);
    if (fault === undefined) continue;
    problems.add(
      'manifest.base-url',
      `base_url ${fault}. ${baseUrlAdvice}`,
      spotIn(document, ['application', 'base_url']),
    );
  }
}
