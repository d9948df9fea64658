'use client';

import { Button } from '@/components/ui/button';
import type { OfferedOption } from '@/lib/orders/options/contract';
import { parseWordCount, priceOffered, splitIds } from '@/lib/orders/options/offered-price';
import type { BriefTexts } from './brief-draft';
import { OptionChoice } from './option-choice';
import type { OrderBrief } from './use-brief-draft';

/** What a site sells besides the placement. */
export type SiteOffer = {
  options: readonly OfferedOption[];
  /** The usual number of words of an article; 0 if unknown. */
  words: number;
};

const countWords = ({ words }: BriefTexts, site: SiteOffer) =>
  parseWordCount(words) ?? (site.words > 0 ? site.words : null);

/** Adds up the chosen options of a site, in USD cents; without those that are no longer offered. */
export function sumChosen(texts: BriefTexts, site: SiteOffer): number {
  const ids = splitIds(texts.options);
  const chosen = site.options.filter(({ id }) => ids.includes(id));
  return chosen.reduce((sum, option) => sum + priceOffered(option, countWords(texts, site)), 0);
}

type OptionsSectionProps = {
  briefs: Pick<OrderBrief, 'common' | 'edit'>;
  site: SiteOffer;
  error?: string | undefined;
  onChange: () => void;
};

/** Renders the options of the site of an order. One that is no longer offered stays chosen until the buyer removes it. */
export function OptionsSection({ briefs, site, error, onChange }: OptionsSectionProps) {
  const { options } = site;
  const chosen = splitIds(briefs.common.options);
  const gone = chosen.filter((id) => options.every((option) => option.id !== id));
  if (options.length === 0 && gone.length === 0) return null;
  const choose = (ids: string[]) => {
    briefs.edit({ options: ids.filter((id) => !gone.includes(id)).join(',') });
    onChange();
  };
  return (
    <section aria-label="Options">
      <h3 className="mb-2 text-ink text-sm">Options</h3>
      <OptionChoice
        legend="Options"
        offered={options}
        ids={chosen}
        words={countWords(briefs.common, site)}
        writer={briefs.common.writer}
        error={error ?? (gone.length > 0 ? 'A chosen option is no longer offered.' : undefined)}
        onChange={choose}
      />
      {gone.length > 0 ? (
        <Button size="sm" className="mt-2" onClick={() => choose(chosen)}>
          Remove what is no longer offered
        </Button>
      ) : null}
    </section>
  );
}
