'use client';

import type { PageFailureProps } from '@/components/shell/page-failure';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';

export default function MarketplaceError({ retry }: PageFailureProps) {
  return (
    <Alert
      tone="error"
      action={
        <Button size="sm" onClick={retry}>
          Try again
        </Button>
      }
    >
      Failed to load marketplace
    </Alert>
  );
}
