/** What belongs to the device rather than to a person: the theme of each portal and the folded groups of the menu. */
const isPreference = (key: string) => /^((user-|seller-)?theme|admin_group_.+)$/.test(key);

/**
 * Signs out by `signOut` and puts back the preferences that the answer's Clear-Site-Data takes from browser storage
 * (lib/auth/portal-routes.ts). Where storage is forbidden there is nothing to keep.
 */
export async function keepPreferences(signOut: () => Promise<unknown>): Promise<void> {
  const kept = readPreferences();
  await signOut();
  try {
    for (const [key, value] of kept) if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
  } catch {
    // Forbidden by now: the portals show their own theme.
  }
}

function readPreferences(): [string, string][] {
  try {
    return Object.entries<string>(localStorage).filter(([key]) => isPreference(key));
  } catch {
    return [];
  }
}
