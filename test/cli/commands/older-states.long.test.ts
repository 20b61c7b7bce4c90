// Runs the histories of restored states again, more of them.
import './older-states.property.test.ts';
