'use server';

import { action } from '@/lib/auth/action';
import { paletteInput, searchBuyerRecords, searchPalette, searchSellerRecords } from './palette';

/** The console's search for records. The palette searches screens and actions in the browser. */
export const searchPaletteAction = action({ access: 'AdminDashboard', input: paletteInput }, searchPalette);

/** The search for the records of a buyer. */
export const searchBuyerRecordsAction = action({ access: 'account:orders', input: paletteInput }, searchBuyerRecords);

/** The search for the records of a seller. */
export const searchSellerRecordsAction = action({ access: 'seller', input: paletteInput }, searchSellerRecords);
