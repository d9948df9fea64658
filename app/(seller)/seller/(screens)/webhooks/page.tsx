import type { Metadata } from 'next';
import { screenTexts } from '@/components/shell/screen-texts';
import { WebhooksPage } from '@/components/webhooks/webhooks-page';
import { requirePage } from '@/lib/auth/page-guard';

const pathname = '/seller/webhooks';

export const metadata: Metadata = { title: screenTexts(pathname).title };

export default async function SellerWebhooks() {
  const actor = await requirePage('seller', 'seller');
  return <WebhooksPage actor={actor} scope="own" pathname={pathname} />;
}
