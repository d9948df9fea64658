import { EndUserSessionsCard } from '@/components/security/end-user-sessions-card';
import { SecurityPage } from '@/components/security/security-page';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { getSecurityOverview } from '@/lib/auth/security-overview';
import { isTwoStepOverdue } from '@/lib/auth/two-step-rule';

export const metadata = { title: 'Security' };

export default async function AdminSecurity() {
  const actor = await requirePage('admin', 'AdminDashboard', { beforeTwoStep: true });
  return (
    <SecurityPage {...(await getSecurityOverview(actor))}>
      {hasPermission(actor, 'ManageUsers') && !isTwoStepOverdue(actor) ? <EndUserSessionsCard /> : null}
    </SecurityPage>
  );
}
