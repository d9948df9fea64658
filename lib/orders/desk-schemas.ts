import { allOrdersQuery } from './schemas';

/** What the order desk's list and its export filter by. */
export const deskFilter = allOrdersQuery.omit({ limit: true, offset: true });
