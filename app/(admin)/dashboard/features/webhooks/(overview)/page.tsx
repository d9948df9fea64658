import type { Metadata } from 'next';
import { webhooksTitle } from '@/components/webhooks/page-texts';
import { WebhooksPage } from '@/components/webhooks/webhooks-page';
import { requirePage } from '@/lib/auth/page-guard';

export const metadata: Metadata = { title: webhooksTitle };

export default async function AdminWebhooks() {
  const actor = await requirePage('admin', 'ManageSettings');
  return <WebhooksPage actor={actor} scope="installation" pathname="/dashboard/features/webhooks" />;
}
