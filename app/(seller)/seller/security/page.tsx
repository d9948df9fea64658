import { SecurityPage } from '@/components/security/security-page';
import { requirePage } from '@/lib/auth/page-guard';
import { getSecurityOverview } from '@/lib/auth/security-overview';
import { getTokenOverview } from '@/lib/developers/tokens/tokens';
import { getChatOverview } from '@/lib/developers/webhooks/chats/connect';

export const metadata = { title: 'Security' };

export default async function SellerSecurity() {
  const actor = await requirePage('seller', 'seller', { beforeTwoStep: true });
  const [overview, apiTokens, chats] = await Promise.all([
    getSecurityOverview(actor),
    getTokenOverview(actor),
    getChatOverview(actor),
  ]);
  return <SecurityPage {...overview} apiTokens={apiTokens} chats={chats} />;
}
