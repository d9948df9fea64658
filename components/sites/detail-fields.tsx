import { TextareaField } from '@/components/form/textarea-field';
import type { FieldErrors } from '@/components/form/use-api-form';

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
