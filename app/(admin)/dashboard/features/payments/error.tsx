'use client';

import { useSearchParams } from 'next/navigation';
import { ListFailure } from '@/components/table/list-failure';

const texts: Readonly<Record<string, string>> = {
  paypal: 'Failed to load PayPal config.',
  wechat: 'Failed to load WeChat config.',
};

export default function PaymentsError(props: { error: unknown; retry: () => void }) {
  const text = texts[useSearchParams().get('tab') ?? ''] ?? 'Failed to load Stripe config.';
  return <ListFailure {...props} text={text} />;
}
