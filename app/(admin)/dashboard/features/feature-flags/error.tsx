'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function FeatureFlagsError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load the feature flags" />;
}
