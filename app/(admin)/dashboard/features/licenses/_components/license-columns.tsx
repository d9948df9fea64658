import type { Column } from '@/components/table/data-table';
import { TimeAgo } from '@/components/ui/time-ago';
import type { LicenseView } from '@/lib/licenses/views';
import { CopyKey } from './copy-key';
import { LicenseName } from './license-name';
import { StatusToggle } from './status-toggle';

/** The licenses' table. @param editHref where a license's dialog opens */
export function licenseColumns(editHref: (id: number) => string): Column<LicenseView>[] {
  return [
    {
      key: 'name',
      header: 'License',
      sortKey: 'name',
      cell: (license) => <LicenseName license={license} href={editHref(license.id)} />,
      className: 'w-[28%] min-w-40 max-w-0',
    },
    {
      key: 'key',
      header: 'Key',
      cell: (license) => <CopyKey licenseKey={license.key} name={license.name} />,
      className: 'w-[32%] min-w-56 max-w-0',
    },
    {
      key: 'person',
      header: 'Person',
      cell: ({ userName }) => (
        <span className={userName ? 'block truncate' : 'text-muted'}>{userName ?? 'Nobody'}</span>
      ),
      className: 'w-[20%] min-w-32 max-w-0',
    },
    {
      key: 'status',
      header: 'Status',
      sortKey: 'status',
      cell: ({ id, name, status }) => <StatusToggle id={id} name={name} isActive={status === 'active'} />,
    },
    {
      key: 'changed',
      header: 'Changed',
      cell: (license) => <TimeAgo at={license.updatedAt} className="whitespace-nowrap text-muted" />,
    },
  ];
}
