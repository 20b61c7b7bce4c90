// State in Azure Blob Storage, on azurite. Processes that are killed are in the long tests.
import { azurite } from '../../support/object-servers.ts';
import { describeObjectServer } from '../support/object-server-suite.ts';

describeObjectServer(azurite, 'processes');
