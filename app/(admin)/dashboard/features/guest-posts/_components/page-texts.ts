export const title = 'Guest Post Manager';
export const description = 'All sellers’ sites, with metrics, prices, review and history.';
