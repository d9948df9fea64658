import { TextareaField } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';

/** Names as the options of a select. */
export const toOptions = (names: readonly string[]) => names.map((value) => ({ value, label: value }));

/** The options of a site's field, with the site's own value where that was removed from the list. */
export const includeCurrent = (names: readonly string[], own: string | undefined) =>
  own && !names.includes(own) ? [own, ...names] : names;

type DetailFieldsProps = {
  /** URLs, one a line. */
  samplePosts: string;
  rules: string;
  rulesHint: string;
  errors: FieldErrors;
};

/** The fields of what a site shows to buyers in its details. */
export function DetailFields({ samplePosts, rules, rulesHint, errors }: DetailFieldsProps) {
  return (
    <>
      <TextareaField
        name="samplePosts"
        label="Sample posts"
        hint="Up to 5 links to posts on the site, one a line."
        rows={3}
        spellCheck={false}
        defaultValue={samplePosts}
        error={errors.samplePosts}
      />
      <TextareaField
        name="rules"
        label="Rules"
        hint={rulesHint}
        rows={3}
        maxLength={2000}
        defaultValue={rules}
        error={errors.rules}
      />
    </>
  );
}
