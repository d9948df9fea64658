import { SellerNotFound } from '@/components/shell/seller-menu';

export const metadata = { title: 'Page not found' };

export default SellerNotFound;
