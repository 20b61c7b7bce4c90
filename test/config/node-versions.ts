// The versions of Node that are supported, the oldest first: "engines" in package.json has the first minor version of that one.
export const nodeVersions = ['20', '22', '24', '26'] as const;
