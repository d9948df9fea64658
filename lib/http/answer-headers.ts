/** Headers of lists, as `route()` declares them. */
export const totalCount = { 'X-Total-Count': 'How many there are over all pages.' };
