import { Input } from '@/components/ui/input';
import type { RangeFilter } from './address-filters';

type RangeInputsProps = { range: RangeFilter; read: (name: string) => string; size?: 'sm' | 'md' };

/** From–to of one figure. */
export function RangeInputs({ range: { label, unit, min, max, limit, step }, read, size = 'sm' }: RangeInputsProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-ink text-xs">
        {label}
        {unit ? <span className="font-normal text-muted"> {unit}</span> : null}
      </legend>
      <div className="flex items-center gap-1.5">
        {[min, max].map((name, index) => (
          <Input
            key={name}
            name={name}
            type="number"
            inputMode="decimal"
            min={0}
            max={limit}
            step={step}
            size={size}
            autoComplete="off"
            aria-label={`${label} ${index === 0 ? 'from' : 'to'}`}
            placeholder={index === 0 ? 'Min' : 'Max'}
            defaultValue={read(name)}
          />
        ))}
      </div>
    </fieldset>
  );
}
