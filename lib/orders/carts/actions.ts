'use server';

import { action } from '@/lib/auth/action';
import { changeCartInput, changeCartSites } from './cart-sites';

/** Adds sites to the cart of a project, and removes others. */
export const changeCartAction = action({ access: 'account:orders', input: changeCartInput }, changeCartSites);
