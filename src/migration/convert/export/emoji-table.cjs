// Loads the table of emoji when a text first has the name of one. Bundlers follow a literal `require` and nothing else.
let table;

module.exports = () => (table ??= require('./generated/emoji.cjs'));
