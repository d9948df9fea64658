'use client';

import { type FailureProps, PortalFailure } from '@/components/shell/portal-failure';

const texts = {
  '/seller/my-sites': 'Failed to load your sites.',
  '/seller/orders': 'Failed to load your orders.',
  '/seller/earnings': 'Failed to load your earnings.',
  '/seller/payouts': 'Failed to load your payouts.',
};

export default function SellerError(props: FailureProps) {
  return <PortalFailure {...props} texts={texts} />;
}
