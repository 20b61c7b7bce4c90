// Tests the emulator over many more requests, histories and deaths than the fast suite does.
import './fuzz.test.ts';
import './model.test.ts';
import './stored/persistence.test.ts';
