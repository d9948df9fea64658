import type { Column } from '@/components/table/data-table';
import type { FeatureRoleView } from '@/lib/roles/feature-roles/views';
import { FeatureBadges } from './feature-badges';
import { RoleLink } from './role-link';

/** The records of the older role manager. @param editHref where one's form opens */
export function roleColumns(editHref: (id: string) => string): Column<FeatureRoleView>[] {
  return [
    {
      key: 'name',
      header: 'Role',
      className: 'w-[24%] min-w-36 max-w-0',
      cell: (role) => <RoleLink role={role} href={editHref(role.id)} />,
    },
    {
      key: 'user',
      header: 'User',
      className: 'w-[28%] min-w-40 max-w-0',
      cell: ({ userName, userEmail }) => (
        <span className="block min-w-0">
          <span className="block truncate text-ink">{userName}</span>
          {userName === userEmail ? null : <span className="block truncate text-muted text-xs">{userEmail}</span>}
        </span>
      ),
    },
    { key: 'features', header: 'Features', cell: ({ features }) => <FeatureBadges features={features} /> },
  ];
}
