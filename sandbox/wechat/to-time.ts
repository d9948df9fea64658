const chinaSeconds = 8 * 60 * 60;

/** Formats a time like WeChat: "2026-03-04T20:30:05+08:00". */
export function toTime(unixSeconds: number): string {
  return `${new Date((unixSeconds + chinaSeconds) * 1_000).toISOString().slice(0, 19)}+08:00`;
}
