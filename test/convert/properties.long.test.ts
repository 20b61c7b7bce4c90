// Tests conversions of many more exports, whole and damaged, than the fast suite does.
import './convert.property.test.ts';
import './damaged.property.test.ts';
