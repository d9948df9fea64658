'use client';

import { adminScreens } from '@/components/shell/admin-nav';
import { ScreenLoading } from '@/components/shell/screen-loading';

export default function AdminLoading() {
  return <ScreenLoading screens={adminScreens} />;
}
