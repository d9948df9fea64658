'use client';

import { ScreenLoading } from '@/components/shell/screen-loading';
import { sellerScreens } from '@/components/shell/seller-nav';

export default function SellerLoading() {
  return <ScreenLoading screens={sellerScreens} />;
}
