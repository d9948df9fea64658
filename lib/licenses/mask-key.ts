/** A key as logs and questions may show it: its last four characters, and none of a short one. */
export function maskKey(key: string): string {
  return key.length < 12 ? '••••' : `••••${key.slice(-4)}`;
}
