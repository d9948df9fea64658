import { Monitor, Smartphone } from 'lucide-react';
import { type SerpDevice, serpDevices } from '@/lib/serp/limits';

const looks = {
  desktop: { label: 'Desktop', icon: Monitor },
  mobile: { label: 'Mobile', icon: Smartphone },
};

type DeviceToggleProps = { device: SerpDevice; onChange: (device: SerpDevice) => void };

/** Desktop or Mobile. */
export function DeviceToggle({ device, onChange }: DeviceToggleProps) {
  return (
    <fieldset className="inline-flex gap-0.5 rounded-lg border border-line p-0.5">
      <legend className="sr-only">Device</legend>
      {serpDevices.map((one) => {
        const { label, icon: Icon } = looks[one];
        return (
          <button
            key={one}
            type="button"
            aria-pressed={one === device}
            onClick={() => onChange(one)}
            className="flex h-7 items-center gap-1.5 rounded-md px-2.5 text-muted text-sm transition-colors hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
          >
            <Icon className="size-4" />
            {label}
          </button>
        );
      })}
    </fieldset>
  );
}
