import Link from 'next/link';
import type { LicenseView } from '@/lib/licenses/views';

/** A license's name, which opens its editor, and what it is for. */
export function LicenseName({ license, href }: { license: LicenseView; href: string }) {
  return (
    <span className="block min-w-0">
      <Link
        href={href}
        scroll={false}
        prefetch={false}
        title={license.name}
        aria-label={`Edit ${license.name}`}
        className="block truncate rounded-sm font-medium text-ink hover:underline"
      >
        {license.name}
      </Link>
      <span className="block truncate text-muted text-xs">{license.packageName ?? 'No package'}</span>
    </span>
  );
}
