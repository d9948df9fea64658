export const title = 'Payout Rules';
export const description = 'The minimum, the fees and the approval of payouts.';
