import { NotFoundPage } from '@/components/shell/not-found-page';
import { sellerNav } from '@/components/shell/seller-nav';
import { portals } from '@/lib/auth/portals';

export const metadata = { title: 'Page not found' };

export default function SellerNotFound() {
  return <NotFoundPage home={portals.seller.home} lists={sellerNav} />;
}
