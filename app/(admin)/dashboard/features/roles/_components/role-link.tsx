import { RecordLink } from '@/components/table/record-link';
import type { FeatureRoleView } from '@/lib/roles/feature-roles/views';

/** A record's name; several people may have one of the same name. */
export function RoleLink({ role, href }: { role: FeatureRoleView; href: string }) {
  return <RecordLink name={role.name} fullName={`${role.name} of ${role.userName}`} href={href} />;
}
