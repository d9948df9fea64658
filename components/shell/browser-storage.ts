/** The values set on this page, for browsers that disable storage (private modes, blocked site data). */
const remembered = new Map<string, string>();

/** Reads localStorage and never throws. Where storage is disabled, a value lasts until the page unloads. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return remembered.get(key) ?? null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    remembered.set(key, value);
  }
}

export function removeStored(key: string): void {
  remembered.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    return;
  }
}

/** Reads a value of this tab; null when there is none, when storage is disabled, or when the value is not JSON. */
export function readSession(name: string): unknown {
  try {
    return JSON.parse(window.sessionStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value for this tab; null removes it. Does nothing when storage is disabled or full. */
export function writeSession(name: string, value: unknown): void {
  try {
    if (value === null) window.sessionStorage.removeItem(name);
    else window.sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    return;
  }
}

/**
 * Checks whether a key belongs to the device instead of the user: the theme of each portal, the collapsed groups of the
 * menu, and whether the keys of the order list are on.
 */
const isPreference = (key: string) => /^((user-|seller-)?theme|admin_group_.+|order_keys)$/.test(key);

/** Checks whether a key holds a draft of a user, which browsers without Clear-Site-Data keep. */
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
