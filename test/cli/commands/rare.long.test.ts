// Runs the cases of the command line that the fast suite leaves out: killed processes, large estates, each format.
import './export.test.ts';
import './kept.test.ts';
import './rebuild.test.ts';
import './state.test.ts';
import './unreadable-state.test.ts';
import '../encrypted.test.ts';
import '../plan/base-ref.test.ts';
import '../plan/refresh.test.ts';
import '../refused/secrets.property.test.ts';
import '../surface/exit-codes.test.ts';
import '../trail.test.ts';
