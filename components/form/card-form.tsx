'use client';

import type { ComponentProps, ReactNode } from 'react';
import { FormError } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { CardBody, CardFooter } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import type { ApiForm } from './use-api-form';

type CardFormProps = Omit<ComponentProps<'form'>, 'children'> & {
  form: ApiForm;
  submitLabel: string;
  variant?: 'primary';
  disabled?: boolean;
  /** Shown left of the submit button. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A form that fills a card: the error, the fields and the submit button. `className` sets gaps and columns. */
export function CardForm(props: CardFormProps) {
  const { form, submitLabel, variant, disabled, actions, className = 'gap-4', children, ...rest } = props;
  return (
    <form {...form.formProps} {...rest}>
      <CardBody className={cn('grid', className)}>
        <FormError error={form.error} />
        {children}
      </CardBody>
      <CardFooter>
        {actions}
        <Button type="submit" variant={variant} pending={form.pending} disabled={disabled}>
          {submitLabel}
        </Button>
      </CardFooter>
    </form>
  );
}

/** A form of one line in a card: a field and its button. */
export function LineForm({ form, children }: { form: ApiForm; children: ReactNode }) {
  return (
    <form className="grid gap-3 px-4 py-3 sm:px-5" {...form.formProps}>
      <FormError error={form.error} />
      <div className="flex items-end gap-2">{children}</div>
    </form>
  );
}
