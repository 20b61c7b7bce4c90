// Tests wrong answers and undo over many more estates than the fast suite does.
import '../../lib/sorter.test.ts';
import './history-files/history-cache.test.ts';
import './odd-answers.property.test.ts';
import './signing/signers.property.test.ts';
import './undo.property.test.ts';
