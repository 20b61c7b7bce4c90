// Tests reading, merging, writing and formatting over many more manifests than the fast suite does.
import './archives/archive.test.ts';
import './for-each/expand.test.ts';
import './format/format.property.test.ts';
import './inherited-names.test.ts';
import './load.property.test.ts';
import './overlays/overlays.property.test.ts';
import './sources/read-sources.test.ts';
import './sources/source-list.test.ts';
import './write/block-text.test.ts';
import './yaml/documents.test.ts';
