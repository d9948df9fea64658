import Link from 'next/link';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import type { RoleWithPermissionsView } from '@/lib/roles/views';
import { CreateRole } from './create-role';

type RoleListProps = {
  roles: readonly RoleWithPermissionsView[];
  selected: string | undefined;
  onCreated: () => Promise<void>;
};

/** Every role, and the form that makes one. */
export function RoleList({ roles, selected, onCreated }: RoleListProps) {
  return (
    <Card aria-labelledby="roles-heading">
      <CardHeader title={<span id="roles-heading">{`Roles (${roles.length})`}</span>} />
      <CreateRole onCreated={onCreated} />
      <ul aria-label="Roles" className="max-h-96 divide-y divide-line overflow-y-auto border-line border-t">
        {roles.map((role) => (
          <li key={role.name}>
            <Link
              prefetch={false}
              href={`?role=${encodeURIComponent(role.name)}`}
              scroll={false}
              aria-current={role.name === selected ? 'true' : undefined}
              className={cn(
                'flex items-center gap-2 px-4 py-2.5 text-sm transition-colors hover:bg-sunken sm:px-5',
                role.name === selected && 'bg-accent-soft font-medium text-accent-ink',
              )}
            >
              <span className="min-w-0 flex-1 truncate">{role.name}</span>
              {role.isBuiltIn ? <Badge>Built-in</Badge> : null}
              <span className="text-muted text-xs tabular-nums">
                {role.people === 1 ? '1 person' : `${role.people.toLocaleString('en-US')} people`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
