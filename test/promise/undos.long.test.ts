// Tests every moment of an undo and of its run.
import './undos.test.ts';
