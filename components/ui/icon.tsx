import type { IconNode } from 'lucide';
import { createElement } from 'react';
import { cn } from './cn';

type IconProps = {
  /** A shape of Lucide: `import { Star } from 'lucide'`. */
  of: IconNode;
  /** For example a color, or a size other than 16 px. */
  className?: string;
  /** What the icon says, where no text beside it and no name of its button does. */
  label?: string;
};

/** Renders an icon, hidden from assistive technology without a label. */
export function Icon({ of: shape, className, label }: IconProps) {
  const name = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  const parts = shape.map(([tag, attributes]) => createElement(tag, attributes));
  return createElement('svg', { viewBox: '0 0 24 24', ...name, className: cn('icon', className) }, ...parts);
}
