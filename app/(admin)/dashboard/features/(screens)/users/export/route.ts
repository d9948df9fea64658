import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { csvFile } from '@/lib/platform/csv';
import { userFilter } from '@/lib/users/contract';
import { exportPeople } from '@/lib/users/export';

/** Streams the filtered list as a CSV file. */
export const GET = route(
  {
    access: 'ManageUsers',
    summary: 'Exports the filtered users as CSV.',
    response: csvFile,
    query: userFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => exportList(actor, 'users', query, (on) => exportPeople(query, on)),
);
