// Which version is this? The same as in package.json; a test holds them together.
export const version = '0.3.0';
