'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { Fields, getFormText } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useOperation } from '@/components/form/use-operation';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { FileDrop } from '@/components/ui/file-drop';
import { Icon } from '@/components/ui/icon';
import { Skeleton } from '@/components/ui/skeleton';
import type { PublishSetting } from '@/db/schema/wordpress';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { SellerOrderView } from '@/lib/orders/order/seller-queries';
import type { PublishForm, PublishView } from '@/lib/orders/posts/contract';

type PublishArticleProps = {
  order: Pick<SellerOrderView, 'id' | 'version'>;
  /** Whether a post exists, which is then changed. */
  isRepeated: boolean;
};

const outcomes: Record<PublishSetting, { label: string; text: string }> = {
  draft: {
    label: 'Save draft in WordPress',
    text: 'Your setting leaves a draft. The order is delivered once you publish it in WordPress.',
  },
  schedule: {
    label: 'Schedule',
    text: 'Your setting schedules the article. The order is delivered when it is live.',
  },
  live: {
    label: 'Publish and deliver',
    text: 'Your setting publishes at once. The page is checked, and the order delivered.',
  },
};

/** Renders the button that opens the form of the article. */
export function PublishArticle({ order, isRepeated }: PublishArticleProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      trigger={
        <Button variant="primary" icon={<Icon name="file-pen-line" />}>
          {isRepeated ? 'Change the article' : 'Publish the article'}
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title={`Publish the article of order #${order.id}`}
      description="It is sent to the WordPress of your site."
      size="xl"
    >
      <LoadedForm order={order} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function LoadedForm(props: { order: PublishArticleProps['order']; onDone: () => void }) {
  const [form, setForm] = useState<PublishForm>();
  const [error, setError] = useState('');
  const { id } = props.order;
  useEffect(() => {
    apiFetch<PublishForm>(`/api/seller/orders/${id}/publish`)
      .catch(redirectIfSignedOut)
      .then(setForm, (cause: unknown) => {
        if (!(cause instanceof ApiError)) throw cause;
        setError(cause.message || 'The form could not be loaded. Close it and try again.');
      });
  }, [id]);
  if (form) return <ArticleForm {...props} form={form} />;
  return (
    <DialogBody className="grid content-start gap-4">
      {error ? <Alert tone="error">{error}</Alert> : <Skeleton className="h-72" />}
    </DialogBody>
  );
}

type ArticleFormProps = { order: PublishArticleProps['order']; form: PublishForm; onDone: () => void };

function ArticleForm({ order, form, onDone }: ArticleFormProps) {
  const router = useRouter();
  const setting = form.publish ?? 'draft';
  const state = useApiForm<PublishView>({
    submit: async (data) => {
      const image = data.get('image');
      const body = {
        title: getFormText(data, 'title'),
        content: getFormText(data, 'content'),
        format: getFormText(data, 'format'),
        ...(getFormText(data, 'categoryId') !== '' && { categoryId: Number(getFormText(data, 'categoryId')) }),
        ...(getFormText(data, 'day') !== '' && { day: getFormText(data, 'day') }),
        ...(image instanceof File && image.size > 0 && { image: await encodeImage(image) }),
        version: order.version,
      };
      return apiFetch<PublishView>(`/api/seller/orders/${order.id}/publish`, { method: 'POST', body }).catch(
        redirectIfSignedOut,
      );
    },
    validate: (data): Record<string, string> => ({
      ...(getFormText(data, 'title').trim() === '' && { title: 'Enter a title.' }),
      ...(getFormText(data, 'content').trim() === '' && { content: 'Enter the article.' }),
      ...(setting === 'schedule' && getFormText(data, 'day') === '' && { day: 'Choose the day of publication.' }),
    }),
    onSuccess: (result) => {
      onDone();
      showResult(result);
      router.refresh();
    },
  });
  return (
    <DialogForm form={state} submitLabel={outcomes[setting].label}>
      {form.error ? <Alert tone="warning">{form.error}</Alert> : null}
      <p className="text-muted text-sm">{outcomes[setting].text}</p>
      <Fields
        errors={state.fields}
        fields={[
          { name: 'title', label: 'Title', required: true, maxLength: 200, defaultValue: form.title },
          {
            name: 'content',
            label: 'Article',
            required: true,
            rows: 14,
            defaultValue: form.content,
            hint: 'With the link of the brief. WordPress may filter HTML: we check the page after it is published.',
          },
          {
            columns: 'sm:grid-cols-3',
            fields: [
              {
                name: 'format',
                label: 'Format',
                options: { markdown: 'Markdown', html: 'HTML' },
                defaultValue: form.format,
              },
              {
                name: 'categoryId',
                label: 'Category',
                placeholder: 'Default of the site',
                options: form.categories.map(({ id, name }) => ({ value: String(id), label: name })),
              },
              {
                name: 'day',
                label: 'Day',
                type: 'date',
                required: setting === 'schedule',
                min: form.notBefore ?? undefined,
                hint: form.notBefore ? `Not before ${form.notBefore}. At 08:00 UTC.` : 'At 08:00 UTC.',
              },
            ],
          },
        ]}
      />
      <Field label="Featured image" error={state.fields.image}>
        {(control) => (
          <FileDrop
            {...control}
            name="image"
            accept="image/png,image/jpeg,image/webp,image/gif"
            prompt="Choose an image or drop it here"
            limits="PNG, JPEG, WebP or GIF, up to 8 MB"
          />
        )}
      </Field>
    </DialogForm>
  );
}

/** Encodes an image for a JSON body. */
async function encodeImage(file: File): Promise<{ fileName: string; base64: string }> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new ApiError(0, 'The image could not be read.'));
    reader.readAsDataURL(file);
  });
  return { fileName: file.name, base64: url.slice(url.indexOf(',') + 1) };
}

function showResult({ post, isDelivered, finding }: PublishView): void {
  if (finding) toast.warning(`${isDelivered ? 'Delivered' : 'Published, but not delivered'}: ${finding}`);
  else if (isDelivered) toast.success('Published and delivered.');
  else toast.success(post.state === 'scheduled' ? 'Scheduled in WordPress.' : 'Saved as a draft in WordPress.');
}

type Restored = { change: 'none' | 'link' | 'paragraph' | 'attributes'; check: { verdict: string } };

/** Restores a link that the checks miss in its post, and shows what the check finds then. */
export function RestoreLink({ orderId }: { orderId: number }) {
  const { pending, error, run } = useOperation({
    fallback: (status) => `The link could not be restored (HTTP ${status}). Please try again.`,
  });
  const restore = () =>
    run(async () => {
      const { check } = await apiFetch<Restored>(`/api/seller/orders/${orderId}/restore`, { method: 'POST' }).catch(
        redirectIfSignedOut,
      );
      if (check.verdict === 'ok') toast.success('The link is restored and was found.');
      else toast.warning('The post was updated, but the check still does not find the link in order.');
    });
  return (
    <>
      {error ? <Alert tone="error">{error}</Alert> : null}
      <p className="text-muted">The link is not in order. One press puts it into the post again.</p>
      <Button variant="primary" pending={pending} onClick={restore}>
        Restore link
      </Button>
    </>
  );
}
