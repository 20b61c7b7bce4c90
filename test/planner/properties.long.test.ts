// Tests the planner's promise and edited plan files over many more estates and edits than the fast suite does.
import './plan-file/reader.test.ts';
import './promise.test.ts';
