'use client';

import { ScreenLoading } from '@/components/shell/screen-loading';
import { userScreens } from '@/components/shell/user-nav';

export default function UserLoading() {
  return <ScreenLoading screens={userScreens} />;
}
