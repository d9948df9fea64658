export const title = 'Role Manager';
export const description = 'Features for one person, besides the role they have. They count from the next request on.';
