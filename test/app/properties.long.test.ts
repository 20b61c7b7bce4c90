// Tests exports, rebuilds and wrong answers over many more estates than the fast suite does.
import './export.property.test.ts';
import './export-every-kind.property.test.ts';
import './odd-answers.property.test.ts';
import './rebuild.property.test.ts';
