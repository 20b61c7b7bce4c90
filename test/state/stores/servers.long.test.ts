// Tests state on every object store that is installed here.
import { azurite, fakeGcs, moto, versitygw } from '../../support/object-servers.ts';
import { describeObjectServer } from '../support/object-server-suite.ts';

describeObjectServer(azurite);
describeObjectServer(versitygw);
describeObjectServer(moto);
describeObjectServer(fakeGcs);
