export const title = 'Payouts';
export const description = 'Approve and pay what sellers requested.';
