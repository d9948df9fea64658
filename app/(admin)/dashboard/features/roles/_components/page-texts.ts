export const title = 'Role Manager';
export const description = 'Features for one user, in addition to their role. Takes effect immediately.';
