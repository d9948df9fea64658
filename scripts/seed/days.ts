import { dayMs } from '@/lib/platform/durations';

/** @param days may be a fraction: 0.5 is twelve hours ago */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - Math.round(days * dayMs));
}
