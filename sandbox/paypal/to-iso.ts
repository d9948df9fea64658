/** Formats a time like PayPal: "2026-03-04T12:30:05Z". */
export function toIso(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1_000).toISOString().slice(0, 19)}Z`;
}
