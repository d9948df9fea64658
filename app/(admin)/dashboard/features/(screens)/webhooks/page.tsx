import { screenTexts } from '@/components/shell/screen-texts';
import { WebhooksPage } from '@/components/webhooks/webhooks-page';
import { requirePage } from '@/lib/auth/page-guard';

const pathname = '/dashboard/features/webhooks';

export const metadata = { title: screenTexts(pathname).title };

export default async function AdminWebhooks() {
  const actor = await requirePage('admin', 'ManageSettings');
  return <WebhooksPage actor={actor} scope="installation" pathname={pathname} />;
}
