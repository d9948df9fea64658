'use client';

import { sellerScreens } from '@/components/shell/nav';
import { ScreenLoading } from '@/components/shell/screen-loading';

export default function SellerLoading() {
  return <ScreenLoading screens={sellerScreens} />;
}
