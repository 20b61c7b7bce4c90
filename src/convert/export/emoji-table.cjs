// Loads the table of emoji when a text first has the name of one. Bundlers follow a literal `require` and nothing else.
module.exports = () => require('./generated/emoji.cjs');
