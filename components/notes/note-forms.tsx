'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { getFormText, TextareaField, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { FormError } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button, IconButton } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Icon } from '@/components/ui/icon';
import { ApiError, callAction, unwrapAction } from '@/lib/browser/api-client';
import {
  addOrderNoteAction,
  addUserNoteAction,
  deleteOrderNoteAction,
  deleteUserNoteAction,
  tagOrderAction,
  tagUserAction,
} from '@/lib/notes/actions';
import { maxNoteLength, maxTagLength } from '@/lib/notes/limits';
import type { Subject } from '@/lib/notes/notes';

/** Adds a note. */
export function NoteForm({ subject }: { subject: Subject }) {
  const router = useRouter();
  const form = useApiForm({
    validate: (data): Record<string, string> => (getFormText(data, 'text').trim() ? {} : { text: 'Enter a note.' }),
    submit: (data) => {
      const text = getFormText(data, 'text');
      return callAction(() =>
        subject.kind === 'user'
          ? addUserNoteAction({ id: subject.id, text })
          : addOrderNoteAction({ id: subject.id, text }),
      );
    },
    clears: true,
    onSuccess: () => {
      toast.success('Note added.');
      router.refresh();
    },
  });
  return (
    <form {...form.formProps} className="grid gap-3" data-unmarked="">
      <FormError error={form.error} />
      <TextareaField name="text" label="New note" rows={3} maxLength={maxNoteLength} error={form.fields.text} />
      <Button type="submit" size="sm" pending={form.pending} className="justify-self-start">
        Add note
      </Button>
    </form>
  );
}

/** Deletes a note after a confirmation. */
export function DeleteNote({ kind, noteId }: { kind: Subject['kind']; noteId: number }) {
  return (
    <ConfirmAction
      title="Delete this note?"
      description="The audit log keeps who deleted it, without its text."
      confirmLabel="Delete note"
      action={() =>
        unwrapAction(() => (kind === 'user' ? deleteUserNoteAction({ noteId }) : deleteOrderNoteAction({ noteId })))
      }
      done="Note deleted."
      trigger={
        <IconButton label="Delete note">
          <Icon name="trash" />
        </IconButton>
      }
    />
  );
}

type TagEditorProps = {
  subject: Subject;
  tags: readonly string[];
  /** The tags of other records, which the field suggests. */
  known: readonly string[];
};

/** Adds tags to a record and removes them. */
export function TagEditor({ subject, tags, known }: TagEditorProps) {
  const router = useRouter();
  const [removing, setRemoving] = useState('');
  const setTag = (tag: string, on: boolean) =>
    callAction(() =>
      subject.kind === 'user'
        ? tagUserAction({ id: subject.id, tag, on })
        : tagOrderAction({ id: subject.id, tag, on }),
    );
  const form = useApiForm({
    validate: (data): Record<string, string> => (getFormText(data, 'tag').trim() ? {} : { tag: 'Enter a tag.' }),
    submit: (data) => setTag(getFormText(data, 'tag'), true),
    clears: true,
    onSuccess: () => router.refresh(),
  });
  const remove = async (tag: string) => {
    setRemoving(tag);
    try {
      await setTag(tag, false);
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'The tag was not removed. Try again.');
    } finally {
      setRemoving('');
    }
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {tags.length > 0 ? (
        <ul aria-label="Tags" className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li key={tag}>
              <Badge className="pr-0">
                <span className="wrap-anywhere">{tag}</span>
                <IconButton
                  label={`Remove tag ${tag}`}
                  pending={removing === tag}
                  onClick={() => void remove(tag)}
                  className="size-6 min-h-0"
                >
                  <Icon name="x" className="size-3.5" />
                </IconButton>
              </Badge>
            </li>
          ))}
        </ul>
      ) : null}
      <form {...form.formProps} className="flex items-start gap-2" data-unmarked="">
        <TextField
          name="tag"
          label="Add a tag"
          size="sm"
          maxLength={maxTagLength}
          autoComplete="off"
          placeholder="vip"
          suggestions={known.filter((tag) => !tags.includes(tag))}
          error={form.fields.tag ?? form.error ?? undefined}
          className="min-w-0 flex-1"
        />
        <Button type="submit" size="sm" pending={form.pending} className="mt-[1.625rem]">
          Add
        </Button>
      </form>
    </div>
  );
}
