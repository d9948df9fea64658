import type { FeatureRoleView } from '@/lib/roles/feature-roles/views';
import { FeatureBadges } from './feature-badges';
import { RoleLink } from './role-link';

/** A record on a phone. */
export function RoleCard({ role, editHref }: { role: FeatureRoleView; editHref: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <RoleLink role={role} href={editHref} />
      <p className="truncate text-muted text-xs">{role.userName}</p>
      <FeatureBadges features={role.features} />
    </div>
  );
}
