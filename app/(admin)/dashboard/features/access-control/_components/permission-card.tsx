import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/checkbox';
import { covers, isAdminRole, type Permission, type Rights } from '@/lib/access/permissions';
import type { RoleWithPermissionsView } from '@/lib/roles/views';
import { DeleteRole } from './delete-role';
import type { PermissionView } from './use-access-lists';

type PermissionCardProps = {
  role: RoleWithPermissionsView;
  own: Rights;
  /** Null where they could not be loaded. */
  permissions: readonly PermissionView[] | null;
  onTick: (permission: Permission, isGranted: boolean) => Promise<void>;
  onDeleted: () => Promise<void>;
};

/** What one role allows, ticked and unticked at once. */
export function PermissionCard({ role, own, permissions, onTick, onDeleted }: PermissionCardProps) {
  const reason = fixedBecause(role, own);
  return (
    <Card aria-labelledby="permissions-heading">
      <CardHeader
        title={
          <span id="permissions-heading" className="wrap-anywhere">
            {`What ${role.name} allows`}
          </span>
        }
        description={reason ?? 'A tick counts at once, from everybody’s next request on.'}
        actions={
          role.isBuiltIn || !covers(own, { role: role.name, permissions: role.permissions }) ? null : (
            <DeleteRole name={role.name} people={role.people} onDeleted={onDeleted} />
          )
        }
      />
      {permissions ? (
        <ul aria-label={`Permissions of ${role.name}`} className="divide-y divide-line">
          {permissions.map(({ name, description }) => {
            const isHeld = role.permissions.includes(name);
            const mayTick = reason === null && covers(own, { role: '', permissions: [name] });
            return (
              <li key={name} className="px-4 py-2.5 sm:px-5">
                <Checkbox
                  checked={isHeld}
                  // What a customers' role should not hold can still be taken from it.
                  disabled={!mayTick && !(isHeld && role.isBuiltIn && !isAdminRole(role.name))}
                  onChange={(event) => void onTick(name, event.target.checked)}
                  className="w-full"
                  label={
                    <>
                      <span className="block font-medium text-ink text-sm">{name}</span>
                      <span className="block text-muted text-xs">{description}</span>
                    </>
                  }
                />
              </li>
            );
          })}
        </ul>
      ) : (
        <CardBody className="text-muted text-sm">The permissions could not be loaded.</CardBody>
      )}
    </Card>
  );
}

/** Why nothing can be ticked, or null where it can. */
function fixedBecause({ name, isBuiltIn, permissions }: RoleWithPermissionsView, own: Rights): string | null {
  if (isAdminRole(name)) return 'Admin keeps every permission.';
  if (isBuiltIn)
    return `Whoever registers becomes a ${name}, so this role holds no permissions. Create one for your staff.`;
  if (!covers(own, { role: name, permissions })) return 'This role allows more than you may do yourself.';
  return null;
}
