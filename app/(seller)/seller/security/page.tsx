import { SecurityPage } from '@/components/security/security-page';
import { requirePage } from '@/lib/auth/page-guard';
import { getSecurityOverview } from '@/lib/auth/security-overview';

export const metadata = { title: 'Security' };

export default async function SellerSecurity() {
  const actor = await requirePage('seller', 'seller', { beforeTwoStep: true });
  return <SecurityPage {...(await getSecurityOverview(actor))} />;
}
