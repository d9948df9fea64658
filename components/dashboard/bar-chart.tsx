'use client';

import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatUsd } from '@/lib/money';

/** Dimensions in SVG units. The drawing stretches to its frame, so only their ratio matters. */
const height = 100;
const step = 10;
const gap = 2.4;

const hairline = 'stroke-line [vector-effect:non-scaling-stroke]';

/** What the amounts of a chart are: USD cents, numbers of something, or percentages. */
type ChartUnit = 'usd' | 'count' | 'percent';

/** The amounts of one period or group, in the order of the series. */
export type ChartBar = { key: string; label: string; amounts: readonly number[] };

/** A figure of every period. Without a fill its bars have the accent color, and negative ones are red. */
type ChartSeries = { name: string; className?: string };

type BarChartProps = {
  bars: readonly ChartBar[];
  series: readonly ChartSeries[];
  unit?: ChartUnit;
  /** The chart in words. It is a single image to assistive technology, so a table beside it must have the same data. */
  label: string;
};

const formatAmount = (amount: number, unit: ChartUnit): string =>
  unit === 'usd' ? formatUsd(amount) : `${amount.toLocaleString('en-US')}${unit === 'percent' ? '%' : ''}`;

/** So many groups have room for all their labels. */
const maxLabels = 7;

/**
 * Renders a bar chart of amounts by period or group. With several series, each has a bar in every period, and a legend.
 * The amounts of a period appear above the chart under the pointer, and with the arrow keys.
 */
export function BarChart({ bars, series, unit = 'usd', label }: BarChartProps) {
  const [shown, setShown] = useState<number | null>(null);
  const amounts = bars.flatMap((bar) => bar.amounts);
  const ticks = listTicks(Math.min(0, ...amounts), Math.max(0, ...amounts));
  const [bottom = 0, top = 0] = [ticks.at(0), ticks.at(-1)];
  const y = (amountCents: number) => ((top - amountCents) / (top - bottom)) * height;
  const width = (step - gap) / series.length;
  const bar = shown === null ? undefined : bars[shown];
  const hasAllLabels = unit !== 'usd' && bars.length <= maxLabels;
  return (
    <figure>
      {series.length > 1 ? <Legend series={series} /> : null}
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 pt-2">
        <Axis ticks={ticks} unit={unit} />
        <div className="relative">
          <svg
            role="img"
            aria-label={label}
            viewBox={`0 0 ${bars.length * step} ${height}`}
            preserveAspectRatio="none"
            className="h-44 w-full overflow-visible"
          >
            {shown === null ? null : <rect x={shown * step} width={step} height={height} className="fill-sunken" />}
            {ticks.map((tick) => (
              <line
                key={tick}
                x1="0"
                x2={bars.length * step}
                y1={y(tick)}
                y2={y(tick)}
                {...(tick !== 0 && { strokeDasharray: '3 4' })}
                className={`${hairline} ${tick === 0 ? 'stroke-line-strong' : ''}`}
              />
            ))}
            {bars.map((one, index) => (
              <g key={one.key}>
                {one.amounts.map((amountCents, place) => (
                  <rect
                    key={series[place]?.name}
                    x={index * step + gap / 2 + place * width}
                    width={width}
                    y={Math.min(y(amountCents), y(0))}
                    height={Math.abs(y(amountCents) - y(0))}
                    className={amountCents < 0 ? 'fill-red' : (series[place]?.className ?? 'fill-accent')}
                  />
                ))}
              </g>
            ))}
          </svg>
          {bar && shown !== null ? (
            <Tooltip bar={bar} series={series} unit={unit} place={bars.length < 2 ? 0.5 : shown / (bars.length - 1)} />
          ) : null}
          <Cursor bars={bars} series={series} unit={unit} shown={shown} onShow={setShown} />
        </div>
        {hasAllLabels ? (
          <div
            aria-hidden="true"
            className="col-start-2 mt-1.5 flex text-center text-[0.625rem] text-subtle sm:text-xs"
          >
            {bars.map(({ key, label: name }) => (
              <span key={key} className="min-w-0 flex-1">
                {name}
              </span>
            ))}
          </div>
        ) : null}
      </div>
      {hasAllLabels ? null : (
        <div aria-hidden="true" className="mt-1.5 flex justify-between text-subtle text-xs">
          <span>{bars.at(0)?.label}</span>
          <span>{bars.at(Math.floor(bars.length / 2))?.label}</span>
          <span>{bars.at(-1)?.label}</span>
        </div>
      )}
    </figure>
  );
}

/** Renders the amount labels of the axis, at the heights of their lines. */
function Axis({ ticks, unit }: { ticks: readonly number[]; unit: ChartUnit }) {
  const digits = ticks.every((tick) => tick % 100 === 0) ? 0 : 2;
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (
    <ul
      aria-hidden="true"
      className="flex h-44 flex-col-reverse justify-between text-right text-subtle text-xs tabular-nums"
    >
      {ticks.map((tick) => (
        <li key={tick} className="grid h-0 content-center">
          {unit === 'usd' ? format.format(tick / 100) : formatAmount(tick, unit)}
        </li>
      ))}
    </ul>
  );
}

type CursorProps = Pick<BarChartProps, 'bars' | 'series'> & {
  unit: ChartUnit;
  shown: number | null;
  onShow: (index: number | null) => void;
};

/** Chooses the period whose amounts are shown: the one under the pointer, or with the arrow keys, Home and End. */
function Cursor({ bars, series, unit, shown, onShow }: CursorProps) {
  const last = bars.length - 1;
  const current = shown ?? last;
  const point = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onShow(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * bars.length))));
  };
  const press = (event: KeyboardEvent) => {
    const keys: Record<string, number | null> = {
      ArrowLeft: Math.max(0, current - 1),
      ArrowRight: Math.min(last, current + 1),
      Home: 0,
      End: last,
      Escape: null,
    };
    const next = keys[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onShow(next);
  };
  const bar = bars[current];
  if (!bar) return null;
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={unit === 'usd' ? 'Amounts of a period' : 'Numbers of a group'}
      aria-valuemin={1}
      aria-valuemax={bars.length}
      aria-valuenow={current + 1}
      aria-valuetext={`${bar.label}: ${series.map(({ name }, index) => `${name} ${formatAmount(bar.amounts[index] ?? 0, unit)}`).join(', ')}`}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onShow(null)}
      onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && onShow(current)}
      onBlur={() => onShow(null)}
      onKeyDown={press}
      className="absolute inset-0 rounded-sm"
    />
  );
}

type TooltipProps = Pick<CursorProps, 'series' | 'unit'> & {
  bar: ChartBar;
  /** The position from left (0) to right (1), at which it stays inside the chart. */
  place: number;
};

/** Renders the amounts of one period, above the chart. The cursor has them in words. */
function Tooltip({ bar, series, unit, place }: TooltipProps) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute bottom-full z-10 mb-1 whitespace-nowrap rounded-md bg-overlay px-2.5 py-1.5 text-xs shadow-overlay"
      style={{ left: `${place * 100}%`, transform: `translateX(-${place * 100}%)` }}
    >
      <p className="text-muted">{bar.label}</p>
      <dl className="grid grid-cols-[auto_auto] gap-x-3">
        {series.map(({ name, className = 'fill-accent' }, index) => (
          <div key={name} className="contents">
            <dt className="inline-flex items-center gap-1.5 text-ink">
              <Swatch className={className} />
              {name}
            </dt>
            <dd className="text-right font-medium text-ink">{formatAmount(bar.amounts[index] ?? 0, unit)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Legend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <div aria-hidden="true" className="flex justify-end gap-4 text-subtle text-xs">
      {series.map(({ name, className = 'fill-accent' }) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <Swatch className={className} />
          {name}
        </span>
      ))}
    </div>
  );
}

function Swatch({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 8 8" className={`size-2 ${className}`} aria-hidden="true">
      <rect width="8" height="8" rx="1" />
    </svg>
  );
}

/** The axis has about this many intervals. */
const wantedIntervals = 4;

/**
 * Lists the amounts of the axis, in whole numbers (cents of money) and in ascending order: evenly spaced round amounts that include zero and
 * enclose the given range.
 * @param bottom the lowest amount, zero or below
 * @param top the highest amount, zero or above
 */
export function listTicks(bottom: number, top: number): number[] {
  // Without amounts the axis ends at one dollar.
  const end = bottom === 0 && top === 0 ? 100 : top;
  const requested = Math.max(1, (end - bottom) / wantedIntervals);
  const magnitude = 10 ** Math.floor(Math.log10(requested));
  const distance = magnitude * ([1, 2, 5].find((factor) => factor * magnitude >= requested) ?? 10);
  const first = Math.floor(bottom / distance);
  const last = Math.ceil(end / distance);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * distance);
}
