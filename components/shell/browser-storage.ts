/** What was chosen on this page, for browsers that forbid storage (private modes, blocked site data). */
const remembered = new Map<string, string>();

/** Browser storage that never throws; where storage is disabled, a choice lasts as long as the page. */
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
