import type { Executor } from '../../db/client';
import type { Branding } from './branding';
import { readSettings, type SettingRows, selectSettings, settingOf } from './read-settings';
import { brandingKey, brandingOf, defaultStoredBranding, storedBranding } from './stored-branding';

/**
 * What the installation is called and looks like now.
 * @param tx the transaction it is needed in, which must not wait for another connection; without one it is read once
 * per request
 */
export async function getBranding(tx?: Executor): Promise<Branding> {
  return brandingOf(brandingIn(tx ? await selectSettings(tx) : await readSettings()).value);
}

/** Branding as stored, with the version that an edit names. */
export function brandingIn(rows: SettingRows) {
  return settingOf(rows, brandingKey, storedBranding, defaultStoredBranding);
}
