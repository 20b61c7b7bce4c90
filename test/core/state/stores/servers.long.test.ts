// Tests state on every server of a registered store that is installed here.
import './registered-stores.test.ts';
