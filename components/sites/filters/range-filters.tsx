'use client';

import { type ComponentProps, useState } from 'react';
import { formatFigure } from '@/components/sites/site-text';
import { cn } from '@/components/ui/cn';
import { Input } from '@/components/ui/controls';
import type { NumberField } from '@/lib/platform/parse-number';
import type { FilterCounts } from '@/lib/sites/catalogue/filter-counts';
import { findStop, rangeStops } from '@/lib/sites/catalogue/range-stops';
import { CheckFilters } from './check-filters';
import { type RangeFilter, rangeFilters } from './filter-params';
import type { ReadParam } from './list-active-filters';
import styles from './range-filters.module.css';
import { useSettledParams } from './use-settled-params';

type RangeFiltersProps = {
  counts: FilterCounts | null;
  read: ReadParam;
  size?: 'sm' | 'md';
  className?: string;
};

/** Renders the range filters, a histogram, a slider and two numbers each, and the filters by checkboxes. */
export function RangeFilters({ counts, read, size = 'sm', className }: RangeFiltersProps) {
  return (
    <>
      <div className={cn('grid gap-x-6 gap-y-4', className)}>
        {rangeFilters.map((range) => (
          <RangeControl key={range.key} range={range} bars={counts?.ranges[range.key]} read={read} size={size} />
        ))}
      </div>
      <CheckFilters read={read} />
    </>
  );
}

type RangeControlProps = {
  range: RangeFilter;
  /** The number of sites in each bar of the histogram; undefined until they are loaded. */
  bars: readonly number[] | undefined;
  read: ReadParam;
  size: 'sm' | 'md';
};

function RangeControl({ range, bars, read, size }: RangeControlProps) {
  const { key, label, unit, min, max, limit, step, prefix = '', suffix = '' } = range;
  const { values, pending, edit, flush } = useSettledParams([min, max], read);
  const stops: readonly number[] = rangeStops[key];
  const last = stops.length - 1;
  const low = values[min]?.[0] ?? '';
  const high = values[max]?.[0] ?? '';
  const to = high === '' ? last : findStop(key, Number(high) || 0);
  const from = low === '' ? 0 : Math.min(to, findStop(key, Number(low) || 0));
  const [refused, setRefused] = useState('');
  const text = (stop: number) => `${prefix}${formatFigure(stops[stop] ?? 0)}${suffix}`;
  const thumb = (name: string, isMin: boolean, at: number) => {
    const isOpen = at === (isMin ? 0 : last);
    return (
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={`${label}, ${isMin ? 'minimum' : 'maximum'}`}
        aria-valuetext={isOpen ? (isMin ? 'No minimum' : 'No maximum') : text(at)}
        onChange={({ target }) => {
          const stop = isMin ? Math.min(Number(target.value), to) : Math.max(Number(target.value), from);
          edit({ [name]: stop === (isMin ? 0 : last) ? [] : [String(stops[stop])] });
        }}
        onBlur={flush}
        // Where both are at the upper end, only the minimum can move.
        className={cn(styles.thumb, isMin && from > last / 2 && 'z-10')}
      />
    );
  };
  return (
    <fieldset className="min-w-0" aria-busy={pending || undefined}>
      <legend className="mb-1 font-medium text-ink text-xs">
        {label}
        {unit ? <span className="font-normal text-muted"> {unit}</span> : null}
      </legend>
      <Histogram label={label} bars={bars} count={last} from={from} to={to} text={text} />
      <div className={styles.slider}>
        <svg aria-hidden="true" viewBox={`0 0 ${last} 1`} preserveAspectRatio="none" className={styles.track}>
          <rect width={last} height="1" className="fill-line-strong" />
          <rect x={from} width={to - from} height="1" className="fill-accent" />
        </svg>
        {thumb(min, true, from)}
        {thumb(max, false, to)}
      </div>
      <div className="mt-1 flex items-center gap-1.5">
        {[min, max].map((name, index) => (
          <NumberInput
            key={name}
            name={name}
            size={size}
            aria-label={`${label} ${index === 0 ? 'from' : 'to'}`}
            placeholder={index === 0 ? 'Min' : 'Max'}
            value={values[name]?.[0] ?? ''}
            onNumber={(text) => edit({ [name]: text === '' ? [] : [toValid(text, range)] })}
            onRefused={setRefused}
            onSettled={flush}
            field={step < 1 ? price : { label, kind: 'count', ...(limit !== undefined && { max: limit }) }}
          />
        ))}
      </div>
      {refused ? (
        <p role="alert" className="mt-1 text-red-ink text-xs">
          {refused}
        </p>
      ) : null}
    </fieldset>
  );
}

const price = { label: 'Price', kind: 'money', currency: 'USD' } as const;

type NumberInputProps = Omit<ComponentProps<typeof Input>, 'onChange' | 'value'> & {
  value: string;
  field: NumberField;
  onNumber: (text: string) => void;
  /** Called with the error of a text that is not a number; '' for a number. */
  onRefused: (reason: string) => void;
  onSettled: () => void;
};

/** Renders a number that applies while it is typed. Another notation, e.g. 12.5k, is read when the input is left. */
function NumberInput({ value, field, onNumber, onRefused, onSettled, ...input }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const settle = async () => {
    if (typed !== null) {
      const { parseField } = await import('@/lib/platform/parse-number');
      const { decimal, reason = '' } = parseField(typed, field, 'typed');
      onRefused(reason);
      if (reason || decimal === null) return;
      setTyped(null);
      onNumber(decimal);
    }
    onSettled();
  };
  return (
    <Input
      {...input}
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? value}
      onChange={({ target: { value: text } }) => {
        const isNumber = /^(\d+(\.\d+)?)?$/.test(text);
        setTyped(isNumber ? null : text);
        onRefused('');
        if (isNumber) onNumber(text);
      }}
      onBlur={() => void settle()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void settle();
      }}
    />
  );
}

/** Returns a number that the filter accepts: the nearest within the range, in whole units or cents. */
function toValid(text: string, { limit = 1_000_000_000, step }: RangeFilter): string {
  const value = Math.min(Math.max(Number(text), 0), limit);
  const valid = step < 1 ? String(Number(value.toFixed(2))) : String(Math.floor(value));
  // As typed, for example "7.50".
  return /^\d+(\.\d+)?$/.test(text) && Number(valid) === Number(text) ? text : valid;
}

type HistogramProps = {
  label: string;
  bars: readonly number[] | undefined;
  /** The number of bars. */
  count: number;
  /** The selected stops. */
  from: number;
  to: number;
  /** The text of a stop. */
  text: (stop: number) => string;
};

/** Shows how the sites are spread over the range, by the other filters. As high without bars, so that nothing moves. */
function Histogram({ label, bars, count, from, to, text }: HistogramProps) {
  const highest = Math.max(1, ...(bars ?? []));
  const mode = bars?.indexOf(highest) ?? -1;
  const words =
    mode < 0 ? `No sites by ${label}` : `Sites by ${label}: most from ${text(mode)} ${describeEnd(mode, count, text)}`;
  return (
    <svg
      role="img"
      aria-label={bars ? words : `Sites by ${label}`}
      viewBox={`0 0 ${count} 100`}
      preserveAspectRatio="none"
      className="mx-3 h-10 w-[calc(100%-1.5rem)]"
    >
      {bars?.map((sites, index) => {
        const height = sites === 0 ? 0 : Math.max(3, (sites / highest) * 100);
        const isSelected = index >= from && index < Math.max(to, from + 1);
        return (
          <rect
            // The position is the identity of a bar.
            // biome-ignore lint/suspicious/noArrayIndexKey: bars are never reordered.
            key={index}
            x={index + 0.06}
            y={100 - height}
            width={0.88}
            height={height}
            className={isSelected ? 'fill-accent' : 'fill-line-strong'}
          />
        );
      })}
    </svg>
  );
}

const describeEnd = (bar: number, count: number, text: (stop: number) => string) =>
  bar === count - 1 ? 'on' : `to ${text(bar + 1)}`;
