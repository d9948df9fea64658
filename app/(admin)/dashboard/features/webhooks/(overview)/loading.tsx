import { WebhooksLoading } from '@/components/webhooks/webhooks-loading';

export default function AdminWebhooksLoading() {
  return <WebhooksLoading scope="installation" />;
}
