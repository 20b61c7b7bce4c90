// The types of packages.cjs.
declare const packages: {
  diff(): typeof import('diff/lib/patch/create.js');
  diffOfWords(): typeof import('diff/lib/diff/word.js');
  re2js(): typeof import('re2js');
};
export = packages;
