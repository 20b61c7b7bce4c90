// Tests exports, rebuilds and rehearsals over many more estates than the fast suite does.
import './live-import/drift-write.property.test.ts';
import './live-import/export-since.test.ts';
import './live-import/export.property.test.ts';
import './live-import/export-every-kind.property.test.ts';
import './live-import/rebuild.property.test.ts';
import './rehearsal/rehearse.property.test.ts';
