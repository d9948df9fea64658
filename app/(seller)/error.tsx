'use client';

import { type FailureProps, PortalFailure } from '@/components/shell/portal-failure';

const texts = {
  '/seller/my-sites': 'Failed to load your sites.',
  '/seller/orders': 'Failed to load your orders.',
  '/seller/earnings': 'Failed to load your earnings.',
};

export default function SellerError(props: FailureProps) {
  return <PortalFailure {...props} texts={texts} />;
}
