'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function SignInSettingsError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load the sign-in settings" />;
}
