import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { type ButtonOptions, buttonClass } from './button-class';

type ButtonLinkProps = ComponentProps<typeof Link> & Pick<ButtonOptions, 'variant' | 'size'> & { icon?: ReactNode };

/** A link styled as a button. For navigation, not for actions. */
export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link prefetch={false} {...rest} className={buttonClass({ variant, size, className })}>
      {icon ? <span className="-ml-0.5 inline-flex size-4 items-center">{icon}</span> : null}
      {children}
    </Link>
  );
}
