'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { FormError } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { type FieldSpec, Fields } from './fields';
import { type ApiForm, type FieldErrors, useApiForm } from './use-api-form';

type DialogFormProps = {
  form: ApiForm;
  submitLabel: string;
  /** The gaps and columns of the fields. */
  className?: string;
  children: ReactNode;
};

/** Renders a form that fills a dialog: the error, the fields, and the Cancel and submit buttons. */
export function DialogForm({ form, submitLabel, className = 'gap-4', children }: DialogFormProps) {
  return (
    <form className="contents" {...form.formProps}>
      <DialogBody className={cn('grid content-start', className)}>
        <FormError error={form.error} />
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

type Step<Result> = Pick<Parameters<typeof useApiForm<Result>>[0], 'validate' | 'fallback'> & {
  fields?: readonly FieldSpec[];
  submitLabel: string;
  /** The gaps and columns of the fields. */
  className?: string;
  /** Sends the form. @throws ApiError */
  submit: (data: FormData) => Promise<Result>;
  /** The message after it. Omitted where `submit` shows one. */
  done?: string | ((result: Result) => string);
  /** Fields that are not declared, below the others. */
  children?: (errors: FieldErrors) => ReactNode;
};

export type FormDialogProps<Result = unknown> = Step<Result> & Omit<ComponentProps<typeof Dialog>, 'children'>;

/** Renders a dialog with the form of one step. After the step, the dialog closes and the page is refreshed. */
export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { fields, submitLabel, className, submit, done, children, validate, fallback, ...dialog } = props;
  const [own, setOwn] = useState(false);
  const setOpen = (open: boolean) => {
    setOwn(open);
    dialog.onOpenChange?.(open);
  };
  const step = { fields, submitLabel, className, submit, done, children, validate, fallback };
  return (
    <Dialog {...dialog} open={dialog.open ?? own} onOpenChange={setOpen}>
      <StepForm {...step} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function StepForm<Result>({ fields = [], done, onDone, children, ...step }: Step<Result> & { onDone: () => void }) {
  const router = useRouter();
  const form = useApiForm<Result>({
    ...step,
    onSuccess: (result) => {
      onDone();
      if (done) toast.success(typeof done === 'string' ? done : done(result));
      router.refresh();
    },
  });
  return (
    <DialogForm form={form} submitLabel={step.submitLabel} className={step.className}>
      <Fields fields={fields} errors={form.fields} />
      {children?.(form.fields)}
    </DialogForm>
  );
}
