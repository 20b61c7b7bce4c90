// The JSON Schemas that chatform publishes, each generated from the code that it describes.
import { manifestSchema, renderSchema } from '../manifest/schema/schema.ts';
import { registry } from '../resources/index.ts';
import { archiveLineSchema } from '../resources/messages/line.ts';
import { diagnosticsSchema, eventsSchema, migrationSchema, planSchema, reportSchema } from '../view/json/schemas.ts';

/** By name: the text of `schema/<name>.schema.json`. */
export const schemas: Readonly<Record<string, () => string>> = {
  manifest: () => renderSchema(manifestSchema(registry)),
  plan: () => renderSchema(planSchema),
  report: () => renderSchema(reportSchema),
  events: () => renderSchema(eventsSchema),
  diagnostics: () => renderSchema(diagnosticsSchema),
  archive: () => renderSchema(archiveLineSchema),
  migration: () => renderSchema(migrationSchema),
};
