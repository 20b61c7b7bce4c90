// Tests the lock of a folder with a pause at every operation, where the fast suite pauses at a share of them.
import './folder-lock.test.ts';
