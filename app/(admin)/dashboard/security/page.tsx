import { EndUserSessionsCard } from '@/components/security/end-sessions';
import { SecurityPage } from '@/components/security/security-page';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { getSecurityOverview } from '@/lib/auth/security-overview';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { getTokenOverview } from '@/lib/developers/tokens/tokens';

export const metadata = { title: 'Security' };

export default async function AdminSecurity() {
  const actor = await requirePage('admin', 'AdminDashboard', { beforeTwoStep: true });
  const [overview, apiTokens] = await Promise.all([getSecurityOverview(actor), getTokenOverview(actor)]);
  return (
    <SecurityPage {...overview} apiTokens={apiTokens}>
      {hasPermission(actor, 'ManageUsers') && !isTwoStepOverdue(actor) ? <EndUserSessionsCard /> : null}
    </SecurityPage>
  );
}
