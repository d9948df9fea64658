import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '@/scripts/process/root';
import { replaceFile } from './replace-file';

const barSchema = z.object({
  /** What is measured; unique in its part, and equal in every run. */
  name: z.string(),
  measured: z.number(),
  direction: z.enum(['at least', 'at most']),
  limit: z.number(),
  /** Such as ms or kB; empty for ratios and counts. */
  unit: z.string(),
});
/** A measured figure with its limit. */
export type Bar = z.output<typeof barSchema>;

const recordedSchema = z.record(
  z.string(),
  z.object({ date: z.string(), machine: z.string(), bars: z.array(barSchema) }),
);
/** The last recorded bars of each part. */
export type Recorded = z.output<typeof recordedSchema>;

const file = join(projectRoot, 'checks/bench/recorded.json');

/** Creates a bar that a figure holds by reaching the limit. */
export function atLeast(name: string, measured: number, limit: number, unit = ''): Bar {
  return { name, measured, direction: 'at least', limit, unit };
}

/** Creates a bar that a figure holds by not exceeding the limit. */
export function atMost(name: string, measured: number, limit: number, unit = ''): Bar {
  return { name, measured, direction: 'at most', limit, unit };
}

/** Decides from the exact figures, not from the rounded ones of a table. */
export function isHeld({ measured, direction, limit }: Bar): boolean {
  return direction === 'at least' ? measured >= limit : measured <= limit;
}

/** Formats the measured figure with its unit. */
export function showMeasured({ measured, unit }: Bar): string {
  return format(measured, unit);
}

/** Formats the limit with its direction and unit. */
export function showLimit({ direction, limit, unit }: Bar): string {
  return `${direction} ${format(limit, unit)}`;
}

/** Reads the bars of the last run of each part. */
export function readRecorded(): Recorded {
  return recordedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Records the bars of a part, with the machine and the date. Other parts are unchanged. For `writeReport`. */
export function recordBars(part: string, bars: readonly Bar[]): void {
  const repeated = bars.find(({ name }, index) => bars.findIndex((bar) => bar.name === name) < index);
  if (repeated) throw new Error(`Two bars of ${part} are named ${repeated.name}.`);
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
  const exact = bars.map((bar) => ({ ...bar, measured: Number(bar.measured.toPrecision(6)) }));
  const recorded = { ...readRecorded(), [part]: { date, machine, bars: exact } };
  const entries = Object.entries(recorded).sort(([one], [other]) => (one < other ? -1 : 1));
  // One line for each bar, so that a difference between two runs is readable.
  const texts = entries.map(([name, { bars: lines, ...run }]) => {
    const list = lines.map((bar) => `\n    ${JSON.stringify(bar)}`).join(',');
    return `  ${JSON.stringify(name)}: ${JSON.stringify(run).slice(0, -1)},"bars":[${list}\n  ]}`;
  });
  replaceFile(file, `{\n${texts.join(',\n')}\n}\n`);
}

function format(value: number, unit: string): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit ? `${text} ${unit}` : text;
}
