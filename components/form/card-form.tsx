'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { toast } from 'sonner';
import { FormError } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { type FieldSpec, Fields } from './fields';
import { type ApiForm, type FieldErrors, useApiForm } from './use-api-form';

type CardFormProps = Omit<ComponentProps<'form'>, 'children'> & {
  form: ApiForm;
  submitLabel: string;
  variant?: 'primary';
  disabled?: boolean;
  /** Shown left of the submit button. */
  actions?: ReactNode;
  children: ReactNode;
};

/** Renders a form that fills a card: the error, the fields and the submit button. `className` sets gaps and columns. */
export function CardForm(props: CardFormProps) {
  const { form, submitLabel, variant, disabled, actions, className = 'gap-4', children, ...rest } = props;
  return (
    <form {...form.formProps} {...rest}>
      <CardBody key={form.round} className={cn('grid', className)}>
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

type SettingsCardProps<Result> = Omit<Parameters<typeof useApiForm<Result>>[0], 'fallback'> & {
  title: string;
  description?: string;
  /** The classes of the card. */
  className?: string;
  /** The gaps and columns of the fields. */
  formClassName?: string;
  /** Whether required fields have no asterisk. */
  isUnmarked?: boolean;
  submitLabel: string;
  /** The error message where the server sent no text. */
  failure: string;
  fields?: readonly FieldSpec[];
  /** Shown below the fields. */
  note?: string;
  /** Fields that are not declared, above the others. */
  children?: (errors: FieldErrors) => ReactNode;
};

/** Renders a card with a form that saves settings. After the save, the page is refreshed. */
export function SettingsCard<Result>(props: SettingsCardProps<Result>) {
  const { title, description, className, formClassName, isUnmarked, submitLabel, failure, fields = [] } = props;
  const { submit, version, clears, validate, onSuccess = () => toast.success('Saved'), note, children } = props;
  const router = useRouter();
  const id = useId();
  const form = useApiForm<Result>({
    submit,
    version,
    clears,
    validate,
    onSuccess: (result, element) => {
      onSuccess(result, element);
      router.refresh();
    },
    fallback: () => failure,
  });
  return (
    <Card className={className} aria-labelledby={id}>
      <CardHeader title={<span id={id}>{title}</span>} description={description} />
      <CardForm
        form={form}
        data-unmarked={isUnmarked ? '' : undefined}
        className={formClassName}
        submitLabel={submitLabel}
      >
        {children?.(form.fields)}
        <Fields fields={fields} errors={form.fields} />
        {note ? <p className="text-muted text-sm">{note}</p> : null}
      </CardForm>
    </Card>
  );
}

/** Renders a form of one line in a card: a field and its button. */
export function LineForm({ form, children }: { form: ApiForm; children: ReactNode }) {
  return (
    <form className="grid gap-3 px-4 py-3 sm:px-5" {...form.formProps}>
      <FormError error={form.error} />
      <div className="flex items-end gap-2">{children}</div>
    </form>
  );
}
