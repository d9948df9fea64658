'use client';

import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import type { ApiForm } from './use-api-form';

type DialogFormProps = {
  form: ApiForm;
  submitLabel: string;
  /** The gaps and columns of the fields. */
  className?: string;
  children: ReactNode;
};

/** A form that fills a dialog: the error, the fields, and the Cancel and submit buttons. */
export function DialogForm({ form, submitLabel, className = 'gap-4', children }: DialogFormProps) {
  return (
    <form className="contents" {...form.formProps}>
      <DialogBody className={cn('grid content-start', className)}>
        {form.error ? (
          <Alert tone="error" className="col-span-full">
            {form.error}
          </Alert>
        ) : null}
        {children}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button disabled={form.pending}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={form.pending}>
          {submitLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}
