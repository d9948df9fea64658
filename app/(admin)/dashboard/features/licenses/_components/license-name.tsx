import { RecordLink } from '@/components/table/record-link';
import type { LicenseView } from '@/lib/licenses/views';

/** A license's name, which opens its editor, and what it is for. */
export function LicenseName({ license, href }: { license: LicenseView; href: string }) {
  return (
    <span className="block min-w-0">
      <RecordLink name={license.name} href={href} />
      <span className="block truncate text-muted text-xs">{license.packageName ?? 'No package'}</span>
    </span>
  );
}
