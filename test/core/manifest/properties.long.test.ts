// Tests reading, merging, writing and formatting over many more manifests than the fast suite does.
import './history-files/history-file.test.ts';
import './rows/expand.test.ts';
import './write/format.property.test.ts';
import './inherited-names.test.ts';
import './load.property.test.ts';
import './overlays/overlays.property.test.ts';
import './rows/read-sources.test.ts';
import './rows/source-list.test.ts';
import './write/block-text.test.ts';
import './files/documents.test.ts';
