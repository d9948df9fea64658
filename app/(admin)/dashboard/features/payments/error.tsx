'use client';

import { useSearchParams } from 'next/navigation';
import { ListFailure } from '@/components/table/list-failure';

const names: Readonly<Record<string, string>> = { paypal: 'PayPal', wechat: 'WeChat' };

export default function PaymentsError(props: { error: unknown; retry: () => void }) {
  const provider = names[useSearchParams().get('tab') ?? ''] ?? 'Stripe';
  return <ListFailure {...props} text={`Failed to load ${provider} config.`} />;
}
