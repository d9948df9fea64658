import type { Column } from '@/components/table/data-table';
import { TimeAgo } from '@/components/ui/time-ago';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import { EditPersonLink } from './edit-person-link';
import { PersonName } from './person-name';
import { PersonRole, type PersonRow } from './person-role';

/** Everybody, each with a selector of their role. @param editHref where somebody's form opens */
export function personColumns(editHref: (id: string) => string): Column<PersonRow>[] {
  return [
    {
      key: 'user',
      header: 'User',
      sortKey: 'name',
      className: 'w-full max-w-0 min-w-48',
      cell: (person) => <PersonName {...person} />,
    },
    { key: 'role', header: 'Role', sortKey: 'role', cell: (person) => <PersonRole person={person} /> },
    { key: 'status', header: 'Status', sortKey: 'status', cell: ({ status }) => <UserStatusBadge status={status} /> },
    {
      key: 'joined',
      header: 'Joined',
      sortKey: 'joined',
      firstOrder: 'desc',
      className: 'whitespace-nowrap',
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    },
    {
      key: 'seen',
      header: 'Last seen',
      sortKey: 'seen',
      firstOrder: 'desc',
      className: 'whitespace-nowrap',
      cell: ({ lastSeenAt }) => (lastSeenAt ? <TimeAgo at={lastSeenAt} /> : <span className="text-subtle">Never</span>),
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      align: 'right',
      cell: ({ id, name, email }) => <EditPersonLink name={name || email} href={editHref(id)} />,
    },
  ];
}
