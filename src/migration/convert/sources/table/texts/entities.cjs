// Loads the names of HTML's entities when a text first has one. Bundlers follow a literal `require` and nothing else.
module.exports = () => require('entities/decode');
