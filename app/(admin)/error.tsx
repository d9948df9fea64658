'use client';

import { useSearchParams } from 'next/navigation';
import { type FailureProps, PortalFailure } from '@/components/shell/portal-failure';

const features = '/dashboard/features';

const texts = {
  [`${features}/users`]: 'Failed to load users (HTTP 500)',
  [`${features}/roles`]: 'Failed to load roles (HTTP 500)',
  [`${features}/access-control`]: 'Failed to load access control (HTTP 500)',
  [`${features}/audit-logs`]: 'Unable to load audit logs. You might not have permission.',
  [`${features}/niches-types`]: 'Failed to load niches and post types',
  [`${features}/guest-posts`]: 'Failed to load sites',
  [`${features}/packages`]: 'Failed to load packages (HTTP 500)',
  [`${features}/api-manager`]: 'Failed to load API keys',
  [`${features}/notifications`]: 'Failed to load notifications',
  [`${features}/branding`]: 'Failed to load branding',
  [`${features}/licenses`]: 'Failed to load licenses (HTTP 500)',
  [`${features}/backup`]: 'Failed to load backups',
  [`${features}/feature-flags`]: 'Failed to load feature flags',
  [`${features}/sign-in`]: 'Failed to load sign-in settings',
  [`${features}/integrations`]: 'Failed to load integrations',
  [`${features}/payments/disputes`]: 'Failed to load disputes.',
  [`${features}/payments/settlement`]: 'Failed to load settlement.',
  [`${features}/wallet-manager`]: 'Failed to load wallet data.',
  [`${features}/orders`]: 'Failed to load orders',
  [`${features}/approvals`]: 'Failed to load approvals.',
};

/** The messages of the Payments page, by the provider whose tab is open. */
const paymentTexts = new Map([
  ['stripe', 'Failed to load Stripe config.'],
  ['paypal', 'Failed to load PayPal config.'],
  ['wechat', 'Failed to load WeChat config.'],
]);

export default function AdminError(props: FailureProps) {
  const tab = useSearchParams().get('tab') ?? '';
  const text = paymentTexts.get(tab) ?? 'Failed to load Stripe config.';
  return <PortalFailure {...props} texts={{ ...texts, [`${features}/payments`]: text }} />;
}
