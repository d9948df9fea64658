export const title = 'Manage Users';
export const description = 'Everybody with an account: role, status, sessions, wallet and orders.';
