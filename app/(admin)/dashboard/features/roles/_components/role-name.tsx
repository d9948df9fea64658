import Link from 'next/link';
import type { FeatureRoleView } from '@/lib/roles/views';

/** A record's name, which opens its form. */
export function RoleName({ role, href }: { role: FeatureRoleView; href: string }) {
  return (
    <Link
      href={href}
      scroll={false}
      prefetch={false}
      title={role.name}
      aria-label={`Edit ${role.name} of ${role.userName}`}
      className="block truncate rounded-sm font-medium text-ink hover:underline"
    >
      {role.name}
    </Link>
  );
}
