import { WebhooksLoading } from '@/components/webhooks/webhooks-loading';

export default function SellerWebhooksLoading() {
  return <WebhooksLoading scope="own" />;
}
