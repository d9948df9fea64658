import { EndUserSessionsCard } from '@/components/security/end-sessions';
import { SecurityPage } from '@/components/security/security-page';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { getSecurityOverview } from '@/lib/auth/security-overview';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { getTokenOverview } from '@/lib/developers/tokens/tokens';
import { getChatOverview } from '@/lib/developers/webhooks/chats/connect';

export const metadata = { title: 'Security' };

export default async function AdminSecurity() {
  const actor = await requirePage('admin', 'AdminDashboard', { beforeTwoStep: true });
  const [overview, apiTokens, chats] = await Promise.all([
    getSecurityOverview(actor),
    getTokenOverview(actor),
    getChatOverview(actor),
  ]);
  return (
    <SecurityPage {...overview} apiTokens={apiTokens} chats={chats}>
      {hasPermission(actor, 'ManageUsers') && !isTwoStepOverdue(actor) ? <EndUserSessionsCard /> : null}
    </SecurityPage>
  );
}
