export const title = 'Guest Post Manager';
export const description = 'Every site of every seller: facts, prices, review and history.';
