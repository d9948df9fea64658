import type { Metadata } from 'next';
import { screenTexts } from '@/components/shell/screen-texts';
import { WebhooksPage } from '@/components/webhooks/webhooks-page';
import { requirePage } from '@/lib/auth/page-guard';

const pathname = '/user/webhooks';

export const metadata: Metadata = { title: screenTexts(pathname).title };

export default async function UserWebhooks() {
  const actor = await requirePage('user', 'account:programs');
  return <WebhooksPage actor={actor} scope="own" pathname={pathname} />;
}
