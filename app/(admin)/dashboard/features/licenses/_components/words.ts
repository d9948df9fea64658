export const title = 'Licenses';
export const description = 'Keys that were given out, for a package or a person, and whether they are in force.';
