/**
 * Whether a key belongs to the device instead of the user: the theme of each portal, the collapsed groups of the
 * menu, and whether the keys of the order list are on.
 */
const isPreference = (key: string) => /^((user-|seller-)?theme|admin_group_.+|order_keys)$/.test(key);

/** Whether a key holds a draft of a user, which browsers without Clear-Site-Data keep. */
const isDraft = (key: string) => key.startsWith('brief_draft_');

/**
 * Signs out by `signOut`, deletes drafts, and restores the preferences that the Clear-Site-Data header of the response deletes from
 * localStorage (lib/auth/portal-routes.ts). Does nothing where storage is disabled.
 */
export async function preservePreferences(signOut: () => Promise<unknown>): Promise<void> {
  const preferences = readPreferences();
  await signOut();
  try {
    for (const key of Object.keys(localStorage)) if (isDraft(key)) localStorage.removeItem(key);
    for (const [key, value] of preferences) if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
  } catch {
    // Storage is disabled: the portals use their default theme.
  }
}

function readPreferences(): [string, string][] {
  try {
    return Object.entries<string>(localStorage).filter(([key]) => isPreference(key));
  } catch {
    return [];
  }
}
