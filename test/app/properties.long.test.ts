// Tests exports, rebuilds and wrong answers over many more estates than the fast suite does.
import '../lib/sorter.test.ts';
import './archives/archive-cache.test.ts';
import './drift-write.property.test.ts';
import './export-since.test.ts';
import './export.property.test.ts';
import './export-every-kind.property.test.ts';
import './odd-answers.property.test.ts';
import './rebuild.property.test.ts';
import './rehearse.property.test.ts';
import './undo.property.test.ts';
