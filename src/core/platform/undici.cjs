// Hands on the parts of undici. Node searches a CommonJS file that a module imports for the names of its exports, which takes
// long for all the code of undici-parts.cjs.
const { buildConnector, Pool } = require('./undici-parts.cjs');

module.exports = { buildConnector, Pool };
