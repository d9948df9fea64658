import { TextField } from '@/components/form/text-field';
import { serpLengths } from '@/lib/serp/limits';
import type { PageFacts } from './snippet';

type PageFieldsProps = { page: PageFacts; onChange: (change: Partial<PageFacts>) => void };

/** Where the page is, and what people search for who shall find it. */
export function PageFields({ page, onChange }: PageFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        name="domain"
        label="Domain"
        value={page.domain}
        maxLength={serpLengths.domain}
        placeholder="example.com"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ domain: event.target.value })}
      />
      <TextField
        name="slug"
        label="Slug / path"
        value={page.slug}
        maxLength={serpLengths.slug}
        placeholder="blog/garden-spades"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ slug: event.target.value })}
      />
      <TextField
        name="intent"
        label="Search intent"
        hint="What people type who shall find the page. Suggestions lead with it; the preview sets its words off."
        value={page.intent}
        maxLength={serpLengths.intent}
        placeholder="buy garden spades"
        autoComplete="off"
        className="sm:col-span-2"
        onChange={(event) => onChange({ intent: event.target.value })}
      />
    </div>
  );
}
