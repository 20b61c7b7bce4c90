// Loads packages when they are first needed, in the middle of work that cannot wait for an import. Bundlers follow a literal
// `require` of CommonJS, and not one that a module makes by createRequire.
module.exports = {
  diff: () => require('diff/lib/patch/create.js'),
  diffOfWords: () => require('diff/lib/diff/word.js'),
  re2js: () => require('re2js'),
};
