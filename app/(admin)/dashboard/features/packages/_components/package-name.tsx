import Link from 'next/link';
import type { PackageRow } from '@/lib/packages/views';

/** Name and text of a package; the name opens its editor. */
export function PackageName({ row, href }: { row: PackageRow; href: string }) {
  return (
    <span className="block min-w-0">
      <Link
        href={href}
        scroll={false}
        prefetch={false}
        title={row.name}
        aria-label={`Edit ${row.name}`}
        className="block truncate rounded-sm font-medium text-ink hover:underline"
      >
        {row.name}
      </Link>
      <span className="block truncate text-muted text-xs">{row.description || 'No description'}</span>
    </span>
  );
}
