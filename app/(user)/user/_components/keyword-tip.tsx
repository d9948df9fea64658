import { Lightbulb } from 'lucide-react';

/** The tip of spec 001, section 2. */
export function KeywordTip() {
  return (
    <aside
      aria-label="Tip"
      className="flex gap-3 rounded-lg border border-accent-line bg-accent-soft px-4 py-3 sm:px-5"
    >
      <Lightbulb className="mt-0.5 size-4 text-accent-ink" />
      <p className="text-ink">
        <span className="font-medium">Tip:</span> 3 to 5 keywords per project work best. They keep your links about one
        thing and leave writers room for natural text.
      </p>
    </aside>
  );
}
