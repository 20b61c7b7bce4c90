// The table of conformance under each reading, and against each lie alone.
import './conformance.test.ts';
