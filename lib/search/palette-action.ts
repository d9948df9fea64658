'use server';

import { action } from '../auth/action';
import { paletteInput, searchPalette } from './palette';

/** The command palette's search for records. The palette searches screens in the browser. */
export const searchPaletteAction = action({ access: 'AdminDashboard', input: paletteInput }, searchPalette);
