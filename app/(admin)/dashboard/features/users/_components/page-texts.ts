export const title = 'Manage Users';
export const description = 'All accounts, with role, status, sessions, wallet and orders.';
