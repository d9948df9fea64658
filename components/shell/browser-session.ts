/** What is kept for this tab, as JSON; null when nothing is, or when storage is switched off or holds something else. */
export function readSession(name: string): unknown {
  try {
    return JSON.parse(window.sessionStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a value for this tab; null takes it out. Where storage is switched off or full, it lasts as long as the page. */
export function writeSession(name: string, value: unknown): void {
  try {
    if (value === null) window.sessionStorage.removeItem(name);
    else window.sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    return;
  }
}
