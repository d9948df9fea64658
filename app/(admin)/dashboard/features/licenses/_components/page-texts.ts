export const title = 'Licenses';
export const description = 'Keys issued for a package or a user, and whether they’re active.';
