'use server';

import { action } from '../auth/action';
import { paletteInput, searchPalette } from './palette';

/** What the command palette finds beside the screens, which it knows itself. */
export const searchPaletteAction = action({ access: 'AdminDashboard', input: paletteInput }, searchPalette);
