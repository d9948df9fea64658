import { cn } from './cn';
import type { IconName } from './icon-names';
import sheet from './icons.svg';

export type { IconName };

type IconProps = {
  name: IconName;
  /** For example a color, or a size other than 16 px. */
  className?: string;
  /** What the icon says, where no text beside it and no name of its button does. */
  label?: string;
};

/**
 * Renders an icon, hidden from assistive technology without a label. Its shape is in a sheet that the browser keeps: in
 * the page, the shapes would be a tenth of it.
 */
export function Icon({ name, className, label }: IconProps) {
  return (
    <svg
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined || undefined}
      className={cn('icon', className)}
    >
      <use href={`${sheet.src}#${name}`} />
    </svg>
  );
}
