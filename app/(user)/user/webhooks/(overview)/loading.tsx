import { WebhooksLoading } from '@/components/webhooks/webhooks-loading';

export default function UserWebhooksLoading() {
  return <WebhooksLoading scope="own" />;
}
