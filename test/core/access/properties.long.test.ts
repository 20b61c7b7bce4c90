// The properties of these files, with many more runs.
import './notices.property.test.ts';
import './rights.property.test.ts';
