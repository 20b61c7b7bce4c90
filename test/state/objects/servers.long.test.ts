// State on every object store that is installed here.
import { azurite, moto, versitygw } from '../../support/object-servers.ts';
import { describeObjectServer } from '../support/object-server-suite.ts';

describeObjectServer(azurite);
describeObjectServer(versitygw);
describeObjectServer(moto);
