import { screenTexts } from '@/components/shell/screen-texts';
import { PageHeader } from '@/components/ui/page-header';
import { getEffectivePermissions } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { AccessControl } from './_components/access-control';

const texts = screenTexts('/dashboard/features/access-control');

export const metadata = { title: texts.title };

export default async function AccessControlPage() {
  const actor = await requirePage('admin', 'ManageRoles');
  return (
    <>
      <PageHeader {...texts} />
      <AccessControl own={{ role: actor.role, permissions: getEffectivePermissions(actor) }} />
    </>
  );
}
