// Tests how long estates of every shape take.
import './bound.test.ts';
