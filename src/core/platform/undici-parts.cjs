// The parts of undici that a run needs, because loading all of it takes a noticeable part of a small apply. The build puts their
// code into this file (test/config/rolldown.config.ts).
module.exports = {
  buildConnector: require('undici/lib/core/connect.js'),
  Pool: require('undici/lib/dispatcher/pool.js'),
};
