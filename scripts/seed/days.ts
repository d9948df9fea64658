const dayMs = 86_400_000;

/** @param days may be a fraction: 0.5 is twelve hours ago */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - Math.round(days * dayMs));
}
