// The table of conformance under each behaviour, and against each lie alone.
import './conformance.test.ts';
