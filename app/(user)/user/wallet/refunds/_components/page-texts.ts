export const title = 'Refunds';
export const description = 'Money from your wallet back to the card or account that paid for it.';
