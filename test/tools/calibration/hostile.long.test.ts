// More platforms of the property in hostile.test.ts, and its score.
import './hostile.test.ts';
