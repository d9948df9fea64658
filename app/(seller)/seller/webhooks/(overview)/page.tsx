import type { Metadata } from 'next';
import { webhooksTitle } from '@/components/webhooks/page-texts';
import { WebhooksPage } from '@/components/webhooks/webhooks-page';
import { requirePage } from '@/lib/auth/page-guard';

export const metadata: Metadata = { title: webhooksTitle };

export default async function SellerWebhooks() {
  const actor = await requirePage('seller', 'seller');
  return <WebhooksPage actor={actor} scope="own" pathname="/seller/webhooks" />;
}
