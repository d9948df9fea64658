import type { LicenseView } from '@/lib/licenses/views';
import { CopyKey } from './copy-key';
import { LicenseName } from './license-name';
import { StatusToggle } from './status-toggle';

/** A license on a phone. */
export function LicenseCard({ license, href }: { license: LicenseView; href: string }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <LicenseName license={license} href={href} />
        <StatusToggle id={license.id} name={license.name} isActive={license.status === 'active'} />
      </div>
      <CopyKey licenseKey={license.key} name={license.name} />
      {license.userName ? <p className="truncate text-muted text-xs">{license.userName}</p> : null}
    </div>
  );
}
