'use client';

import { type FailureProps, PortalFailure } from '@/components/shell/portal-failure';

const texts = { '/seller/my-sites': 'Failed to load your sites.' };

export default function SellerError(props: FailureProps) {
  return <PortalFailure {...props} texts={texts} />;
}
