'use client';

import { NavList, type NavListProps } from './nav-list';
import { sellerAccountNav, sellerNav } from './seller-nav';

const lists = { main: sellerNav, account: sellerAccountNav };
const all = [...sellerNav, ...sellerAccountNav];

type SellerMenuProps = Omit<NavListProps, 'items' | 'among'> & { list: keyof typeof lists };

/** Renders a list of the seller's links. The prop is its name, because a list would be serialized into every page. */
export const SellerMenu = ({ list, ...props }: SellerMenuProps) => (
  <NavList {...props} items={lists[list]} among={all} />
);
