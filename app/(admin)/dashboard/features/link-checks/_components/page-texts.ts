export const title = 'Link Checks';
export const description = 'Links of orders that are checked, with the result of the newest check.';
