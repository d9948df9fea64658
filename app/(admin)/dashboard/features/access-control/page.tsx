import type { Metadata } from 'next';
import { PageHeader } from '@/components/ui/page-header';
import { getEffectivePermissions } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { AccessControl } from './_components/access-control';

const title = 'Access Control';

const description = 'Manage roles and their permissions.';

export const metadata: Metadata = { title };

export default async function AccessControlPage() {
  const actor = await requirePage('admin', 'ManageRoles');
  return (
    <>
      <PageHeader title={title} description={description} />
      <AccessControl own={{ role: actor.role, permissions: getEffectivePermissions(actor) }} />
    </>
  );
}
