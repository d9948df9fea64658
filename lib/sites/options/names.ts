import type { OptionKind, OptionTopic, siteOptions } from '@/db/schema/site-options';

/** The names of the kinds of options, in messages and on screens. */
export const kindNames: Record<OptionKind, string> = {
  guarantee: 'Longer guarantee',
  topic: 'Topic',
  writing: 'Article by the publisher',
  homepage: 'Mention on the homepage',
  change: 'Change after publication',
};

export const topicNames: Record<OptionTopic, string> = {
  casino: 'Casino and betting',
  crypto: 'Crypto',
  cbd: 'CBD',
  adult: 'Adult',
  loans: 'Loans',
};

type Named = Pick<typeof siteOptions.$inferSelect, 'kind'> & {
  days?: number | null | undefined;
  topic?: OptionTopic | null | undefined;
  words?: number | null | undefined;
};

/** Names an option: "Longer guarantee, 365 days", "Topic: Crypto", "Article by the publisher, 800 words". */
export function nameOption({ kind, days, topic, words }: Named): string {
  if (topic) return `${kindNames.topic}: ${topicNames[topic]}`;
  if (days) return `${kindNames[kind]}, ${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'}`;
  return words ? `${kindNames[kind]}, ${words.toLocaleString('en-US')} words` : kindNames[kind];
}
