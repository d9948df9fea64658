import type { CappedCount } from '@/db/count-up-to';

/** Formats a number of rows: "1,234", or "10,000+" if there are more than were counted. */
export const formatCount = ({ total, isCapped }: CappedCount): string =>
  `${total.toLocaleString('en-US')}${isCapped ? '+' : ''}`;
