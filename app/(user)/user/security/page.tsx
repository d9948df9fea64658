import { SecurityPage } from '@/components/security/security-page';
import { requirePage } from '@/lib/auth/page-guard';
import { getSecurityOverview } from '@/lib/auth/security-overview';
import { getTokenOverview } from '@/lib/developers/tokens/tokens';

export const metadata = { title: 'Security' };

export default async function UserSecurity() {
  const actor = await requirePage('user', 'session', { beforeTwoStep: true });
  const [overview, apiTokens] = await Promise.all([getSecurityOverview(actor), getTokenOverview(actor)]);
  return <SecurityPage {...overview} apiTokens={apiTokens} />;
}
