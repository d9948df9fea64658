'use client';

import { userScreens } from '@/components/shell/nav';
import { ScreenLoading } from '@/components/shell/screen-loading';

export default function UserLoading() {
  return <ScreenLoading screens={userScreens} />;
}
