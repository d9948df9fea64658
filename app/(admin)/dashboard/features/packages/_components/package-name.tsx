import { RecordLink } from '@/components/table/record-link';
import type { PackageRow } from '@/lib/packages/views';

/** Name and text of a package; the name opens its editor. */
export function PackageName({ row, href }: { row: PackageRow; href: string }) {
  return (
    <span className="block min-w-0">
      <RecordLink name={row.name} href={href} />
      <span className="block truncate text-muted text-xs">{row.description || 'No description'}</span>
    </span>
  );
}
