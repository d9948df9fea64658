/** Headers of lists, as `route()` declares them. */
export const totalCount = { 'X-Total-Count': 'How many there are over all pages.' };

/** The header of an answer that `totalCount` declares. */
export const totalHeader = (total: number) => ({ 'X-Total-Count': String(total) });
