/** The values set on this page, for browsers that disable storage (private modes, blocked site data). */
const remembered = new Map<string, string>();

/** localStorage that never throws. Where storage is disabled, a value lasts until the page unloads. */
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
