'use client';

import { portals } from '@/lib/auth/portals';
import { NavList, type NavListProps } from './nav-list';
import { NotFoundPage } from './not-found-page';
import { sellerAccountNav, sellerNav } from './seller-nav';

const lists = { main: sellerNav, account: sellerAccountNav };
const all = [...sellerNav, ...sellerAccountNav];

type SellerMenuProps = Omit<NavListProps, 'items' | 'among'> & { list: keyof typeof lists };

/** Renders a list of the seller's links. The prop is its name, because a list would be serialized into every page. */
export const SellerMenu = ({ list, ...props }: SellerMenuProps) => (
  <NavList {...props} items={lists[list]} among={all} />
);

export const SellerNotFound = () => <NotFoundPage home={portals.seller.home} lists={sellerNav} />;
