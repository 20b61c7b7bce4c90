// Tests conversions of many more exports, intact and damaged, than the fast suite does.
import './convert.property.test.ts';
import './damaged.property.test.ts';
import './lists.property.test.ts';
import './sources/table/database.property.test.ts';
import './sources/table/table.property.test.ts';
import './tokens.test.ts';
