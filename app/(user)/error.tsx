'use client';

import { type FailureProps, PortalFailure } from '@/components/shell/portal-failure';

const texts = {
  '/user/projects': 'Failed to load',
  '/user/marketplace': 'Failed to load marketplace',
  '/user/orders': 'Failed to load orders page.',
  '/user/wallet': 'Failed to load wallet. Please refresh.',
};

export default function UserError(props: FailureProps) {
  return <PortalFailure {...props} texts={texts} />;
}
